ALTER TABLE `songs` RENAME COLUMN `due_at` TO `owed_since`;--> statement-breakpoint
DROP INDEX `songs_due`;--> statement-breakpoint
CREATE INDEX `songs_owed_since` ON `songs` (`owed_since`,`id`) WHERE owed_since IS NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` RENAME COLUMN `due_at` TO `not_before`;--> statement-breakpoint
DROP INDEX `outbox_due`;--> statement-breakpoint
CREATE INDEX `outbox_not_before` ON `outbox` (`not_before`) WHERE state = 'pending';
