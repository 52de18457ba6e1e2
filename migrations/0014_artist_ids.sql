ALTER TABLE `sessions` ADD `has_spotify_premium` integer;--> statement-breakpoint
ALTER TABLE `songs` ADD `artist_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `own_artists` text DEFAULT '{}' NOT NULL;