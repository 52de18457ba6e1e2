CREATE TABLE `pool_windows` (
	`user_id` text PRIMARY KEY NOT NULL,
	`seen_to` integer NOT NULL,
	`waiting` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `pool_windows_time` ON `pool_windows` (`updated_at`);