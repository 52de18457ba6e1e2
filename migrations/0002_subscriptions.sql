CREATE TABLE `billing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `billing_events_time` ON `billing_events` (`created_at`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `synced_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `checkout_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `checkout_number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_synced` ON `subscriptions` (`synced_at`);--> statement-breakpoint
CREATE INDEX `users_email` ON `users` (lower("email"));