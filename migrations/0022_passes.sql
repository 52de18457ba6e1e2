CREATE TABLE `passes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`package_id` text NOT NULL,
	`slot` integer NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passes_slots" CHECK("passes"."slot" BETWEEN 1 AND 2),
	CONSTRAINT "passes_reason" CHECK("passes"."reason" IN ('unplayable', 'known', 'taste', 'report'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `passes_user` ON `passes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `passes_song` ON `passes` (`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_user_song` ON `passes` (`user_id`,`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_slot` ON `passes` (`package_id`,`slot`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`reporter_id` text,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`mailed_at` integer,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "reports_closed" CHECK("reports"."closed_at" IS NULL OR "reports"."reporter_id" IS NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `reports_song` ON `reports` (`song_id`);--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_time` ON `reports` (`created_at`);--> statement-breakpoint
CREATE INDEX `reports_unmailed` ON `reports` (`created_at`) WHERE mailed_at IS NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `passed_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Six within 24 hours: maxPassesPerDay in app/db/rules.ts.
CREATE TRIGGER `passes_within_a_day` BEFORE INSERT ON `passes`
WHEN (
	SELECT count(*) FROM `passes` WHERE `user_id` = NEW.`user_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 6
BEGIN
	SELECT RAISE(ABORT, 'six passes within 24 hours');
END;--> statement-breakpoint
-- Of a rating and a pass of the same song, one stands.
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
