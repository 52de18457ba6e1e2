CREATE TABLE `spotify_waits` (
	`client_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `songs` ADD `smaller_art` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_by_reading` ON `songs` (`fetched_at`);