DROP INDEX `subscriptions_synced`;--> statement-breakpoint
CREATE INDEX `subscriptions_swept` ON `subscriptions` (`synced_at`) WHERE customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX `subscriptions_updated` ON `subscriptions` (`updated_at`);--> statement-breakpoint
DROP INDEX `outbox_user`;--> statement-breakpoint
CREATE INDEX `outbox_user` ON `outbox` (`user_id`,`kind`,`created_at`);