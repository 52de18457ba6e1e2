CREATE TABLE `song_wishes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	`looked_at` integer NOT NULL,
	`found_since` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `song_wishes_user_id_unique` ON `song_wishes` (`user_id`);--> statement-breakpoint
CREATE INDEX `song_wishes_asked` ON `song_wishes` (`asked_at`);--> statement-breakpoint
CREATE INDEX `song_wishes_looked` ON `song_wishes` (`looked_at`);