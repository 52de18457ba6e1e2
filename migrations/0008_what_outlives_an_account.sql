CREATE TABLE `departures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`sealed` text NOT NULL,
	`ends_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "departures_whole_day" CHECK("departures"."ends_at" % 86400000 = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `departures_user_id_unique` ON `departures` (`user_id`);--> statement-breakpoint
CREATE INDEX `departures_end` ON `departures` (`ends_at`);--> statement-breakpoint
CREATE TABLE `rating_marks` (
	`fingerprint` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL,
	CONSTRAINT "rating_marks_whole_day" CHECK("rating_marks"."ends_at" % 86400000 = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rating_marks_end` ON `rating_marks` (`ends_at`);