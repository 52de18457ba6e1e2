CREATE TABLE `shares` (
	`song_id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`snapshot` text NOT NULL,
	`published_at` integer NOT NULL,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_token_unique` ON `shares` (`token`);--> statement-breakpoint
ALTER TABLE `songs` ADD `withdrawn` integer DEFAULT false NOT NULL;