DROP INDEX `reports_reporter`;--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
-- Three within 24 hours: maxReportsPerDay in app/db/rules.ts.
CREATE TRIGGER `reports_within_a_day` BEFORE INSERT ON `reports`
WHEN (
	SELECT count(*) FROM `reports` WHERE `reporter_id` = NEW.`reporter_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 3
BEGIN
	SELECT RAISE(ABORT, 'three reports within 24 hours');
END;--> statement-breakpoint
-- A report beyond the passes has no slot. SQLite renames no table to a name that a trigger refers to in vain.
DROP TRIGGER `ratings_unpassed`;--> statement-breakpoint
CREATE TABLE `__new_passes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`package_id` text NOT NULL,
	`slot` integer,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passes_slots" CHECK("slot" BETWEEN 1 AND 2),
	CONSTRAINT "passes_beyond" CHECK("slot" IS NOT NULL OR "reason" = 'report'),
	CONSTRAINT "passes_reason" CHECK("reason" IN ('unplayable', 'known', 'taste', 'report'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_passes`("id", "user_id", "song_id", "package_id", "slot", "reason", "created_at") SELECT "id", "user_id", "song_id", "package_id", "slot", "reason", "created_at" FROM `passes`;--> statement-breakpoint
DROP TABLE `passes`;--> statement-breakpoint
ALTER TABLE `__new_passes` RENAME TO `passes`;--> statement-breakpoint
CREATE INDEX `passes_user` ON `passes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `passes_song` ON `passes` (`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_user_song` ON `passes` (`user_id`,`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_slot` ON `passes` (`package_id`,`slot`);--> statement-breakpoint
-- As before, but for reports beyond the passes: maxPassesPerDay in app/db/rules.ts.
CREATE TRIGGER `passes_within_a_day` BEFORE INSERT ON `passes`
WHEN NEW.`slot` IS NOT NULL AND (
	SELECT count(`slot`) FROM `passes` WHERE `user_id` = NEW.`user_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 6
BEGIN
	SELECT RAISE(ABORT, 'six passes within 24 hours');
END;--> statement-breakpoint
CREATE TRIGGER `passes_unrated` BEFORE INSERT ON `passes`
WHEN EXISTS (SELECT 1 FROM `ratings` WHERE `rater_id` = NEW.`user_id` AND `song_id` = NEW.`song_id`)
BEGIN
	SELECT RAISE(ABORT, 'the user has rated the song');
END;--> statement-breakpoint
CREATE TRIGGER `ratings_unpassed` BEFORE INSERT ON `ratings`
WHEN EXISTS (SELECT 1 FROM `passes` WHERE `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`)
BEGIN
	SELECT RAISE(ABORT, 'the rater has passed on the song');
END;
