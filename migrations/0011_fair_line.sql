CREATE TABLE `play_refusals` (
	`song_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`song_id`, `user_id`),
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `play_refusals_user` ON `play_refusals` (`user_id`);--> statement-breakpoint
CREATE INDEX `play_refusals_time` ON `play_refusals` (`created_at`);--> statement-breakpoint
DROP INDEX `songs_owed_since`;--> statement-breakpoint
ALTER TABLE `songs` ADD `line_since` integer;--> statement-breakpoint
ALTER TABLE `songs` ADD `resting_since` integer;--> statement-breakpoint
CREATE INDEX `songs_in_line` ON `songs` (`line_since`,`id`) WHERE line_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_behind_line` ON `songs` (`owed_since`,`id`) WHERE owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL;--> statement-breakpoint
CREATE INDEX `songs_owed_by_owner` ON `songs` (`owner_id`,`owed_since`,`id`) WHERE owed_since IS NOT NULL AND resting_since IS NULL;--> statement-breakpoint
CREATE INDEX `submissions_free` ON `submissions` (`owner_id`,`created_at`) WHERE spent = 0;--> statement-breakpoint
-- Of the songs there are, the two with the oldest promises of each owner stand in line from the start.
UPDATE `songs` SET `line_since` = `owed_since` WHERE `id` IN (
	SELECT `id` FROM (
		SELECT `id`, row_number() OVER (PARTITION BY `owner_id` ORDER BY `owed_since`, `id`) AS `place`
		FROM `songs` WHERE `owed_since` IS NOT NULL
	) WHERE `place` <= 2
);--> statement-breakpoint
-- A new song joins the line where its promise puts it, if its owner has a place.
CREATE TRIGGER `songs_join_line` AFTER INSERT ON `songs` WHEN NEW.`owed_since` IS NOT NULL
BEGIN
	UPDATE `songs` SET `line_since` = iif(`id` IN (
			SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
				AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
			ORDER BY `owed_since`, `id` LIMIT 2
		), max(coalesce(`line_since`, 0), `owed_since`), NULL)
	WHERE `id` IN (
		SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
			AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
		ORDER BY `owed_since`, `id` LIMIT 3
	);
END;--> statement-breakpoint
-- When a promise is kept, and when a song begins to rest or returns, places change hands. Who joins the
-- line then stands behind everybody in it: what a viewer has passed may hold nothing new (pool_windows).
CREATE TRIGGER `songs_keep_line` AFTER UPDATE OF `owed_since`, `resting_since` ON `songs`
WHEN OLD.`owed_since` IS NOT NEW.`owed_since` OR OLD.`resting_since` IS NOT NEW.`resting_since`
BEGIN
	UPDATE `songs` SET `line_since` = iif(`id` IN (
			SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
				AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
			ORDER BY `owed_since`, `id` LIMIT 2
		), max(
			coalesce(`line_since`, (SELECT max(`line_since`) FROM `songs` WHERE `line_since` > 0), 0),
			`owed_since`
		), NULL)
	WHERE `id` = NEW.`id` OR `id` IN (
		SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
			AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
		ORDER BY `owed_since`, `id` LIMIT 3
	);
END;
