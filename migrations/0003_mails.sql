CREATE TABLE `email_confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "email_confirmations_used" CHECK("email_confirmations"."used_at" IS NULL OR "email_confirmations"."used_at" < "email_confirmations"."expires_at")
) STRICT;
--> statement-breakpoint
CREATE INDEX `email_confirmations_user` ON `email_confirmations` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `email_confirmations_unused` ON `email_confirmations` (`created_at`) WHERE used_at IS NULL;--> statement-breakpoint
CREATE INDEX `email_confirmations_address` ON `email_confirmations` (lower("address"),`created_at`);--> statement-breakpoint
DROP INDEX `outbox_state`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `mail_id` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `sent_at` integer;--> statement-breakpoint
ALTER TABLE `outbox` ADD `fault` text;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `outbox_mail` ON `outbox` (`mail_id`) WHERE mail_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_gathering` ON `outbox` (`user_id`) WHERE state = 'pending' AND mail_id IS NULL;--> statement-breakpoint
DROP INDEX `users_email`;--> statement-breakpoint
ALTER TABLE `users` ADD `own_email` text;--> statement-breakpoint
CREATE INDEX `users_own_email` ON `users` (lower("own_email")) WHERE own_email IS NOT NULL;--> statement-breakpoint
ALTER TABLE `email_preferences` ADD `receive_subscription_emails` integer DEFAULT true NOT NULL;