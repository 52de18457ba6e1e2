-- The fingerprints of accounts and songs in one lead to no account any more. From now on the deletion of an
-- account writes the marks, from the ratings that it had.
DROP TABLE `rating_marks`;--> statement-breakpoint
CREATE TABLE `__new_departures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`left_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- When somebody left was sealed. Who has not come back by now counts as having left just now, so that the
-- change is no way around the day.
INSERT INTO `__new_departures` (`id`, `left_at`)
SELECT `id`, unixepoch() * 1000 FROM `departures` WHERE `user_id` IS NULL;--> statement-breakpoint
DROP TABLE `departures`;--> statement-breakpoint
ALTER TABLE `__new_departures` RENAME TO `departures`;--> statement-breakpoint
CREATE UNIQUE INDEX `departures_user_id_unique` ON `departures` (`user_id`);--> statement-breakpoint
CREATE INDEX `departures_left` ON `departures` (`left_at`);--> statement-breakpoint
CREATE TABLE `rating_marks` (
	`departure_id` text NOT NULL,
	`song_id` text NOT NULL,
	PRIMARY KEY(`departure_id`, `song_id`),
	FOREIGN KEY (`departure_id`) REFERENCES `departures`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rating_marks_song` ON `rating_marks` (`song_id`);
