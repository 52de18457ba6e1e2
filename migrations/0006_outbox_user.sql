DROP INDEX `outbox_user`;--> statement-breakpoint
CREATE INDEX `outbox_user` ON `outbox` (`user_id`,`created_at`);