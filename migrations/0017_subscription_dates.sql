ALTER TABLE `subscriptions` ADD `renews_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `price` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `failed_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `retry_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `return_to` text;