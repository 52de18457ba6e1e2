CREATE TABLE `playlist_adds` (
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`playlist_id` text NOT NULL,
	`playlist_name` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `song_id`, `playlist_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `playlist_adds_song` ON `playlist_adds` (`song_id`);--> statement-breakpoint
CREATE INDEX `playlist_adds_time` ON `playlist_adds` (`added_at`);--> statement-breakpoint
ALTER TABLE `ratings` ADD `in_playlist` integer DEFAULT 0 NOT NULL CONSTRAINT "ratings_in_playlist" CHECK(`in_playlist` = 0 OR `in_playlist` = 1 AND `score` = 4);--> statement-breakpoint
ALTER TABLE `users` ADD `playlist_lease_until` integer DEFAULT 0 NOT NULL;