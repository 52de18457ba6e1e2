ALTER TABLE `songs` ADD `active_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `songs` SET `active_at` = max(
	(SELECT coalesce(max(`created_at`), 0) FROM `submissions` WHERE `submissions`.`song_id` = `songs`.`id`),
	(SELECT coalesce(max(`created_at`), 0) FROM `ratings` WHERE `ratings`.`song_id` = `songs`.`id`)
) / 60000 * 60000;--> statement-breakpoint
CREATE INDEX `songs_by_activity` ON `songs` (`owner_id`,`active_at`,`id`);--> statement-breakpoint
ALTER TABLE `users` ADD `ratings_seen_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `ratings_news_since` integer;
