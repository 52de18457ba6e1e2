CREATE TABLE `daily_counts` (
	`day` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `name`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_stats` (
	`day` text PRIMARY KEY NOT NULL,
	`logins` integer NOT NULL,
	`listens` integer NOT NULL,
	`ratings` integer NOT NULL,
	`passes` integer NOT NULL,
	`submissions` integer NOT NULL,
	`half_hours` integer,
	`nine_tenths_hours` integer,
	`owed` integer,
	`empty_visits` integer NOT NULL,
	`mails_sent` integer NOT NULL,
	`mails_failed` integer NOT NULL,
	`mails_waiting` integer,
	`premium_members` integer,
	`jobs_failed` integer NOT NULL,
	`written_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`failed_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `operator_log` (
	`id` text PRIMARY KEY NOT NULL,
	`operator` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`user_id` text,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_log_user` ON `operator_log` (`user_id`);--> statement-breakpoint
CREATE INDEX `operator_log_time` ON `operator_log` (`created_at`);--> statement-breakpoint
CREATE TABLE `submission_locks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`reason` text NOT NULL,
	`locked_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `submission_locks_user_id_unique` ON `submission_locks` (`user_id`);--> statement-breakpoint
CREATE INDEX `submission_locks_time` ON `submission_locks` (`locked_at`);--> statement-breakpoint
ALTER TABLE `songs` ADD `taken_out` text CONSTRAINT "songs_taken_out" CHECK("taken_out" IS NULL OR "owed" = 0 OR "resting_since" IS NOT NULL);--> statement-breakpoint
ALTER TABLE `songs` ADD `decided_at` integer;--> statement-breakpoint
CREATE INDEX `songs_unplayable` ON `songs` (`resting_since`) WHERE resting_since IS NOT NULL AND withdrawn = 0 AND taken_out IS NULL AND (decided_at IS NULL OR decided_at < resting_since);--> statement-breakpoint
CREATE INDEX `songs_out` ON `songs` (`decided_at`) WHERE taken_out IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_failed` ON `outbox` (`created_at`) WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX `passes_time` ON `passes` (`created_at`);--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TRIGGER `submissions_unlocked` BEFORE INSERT ON `submissions`
WHEN EXISTS (SELECT 1 FROM `submission_locks` WHERE `user_id` = NEW.`owner_id`)
BEGIN
	SELECT RAISE(ABORT, 'the owner may not submit songs');
END;
