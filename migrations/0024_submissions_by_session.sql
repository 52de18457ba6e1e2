ALTER TABLE `submissions` ADD `session_id` text REFERENCES sessions(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE INDEX `submissions_session` ON `submissions` (`session_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activity_log_undone` ON `activity_log` (`user_id`,`created_at`) WHERE kind = 'undo';