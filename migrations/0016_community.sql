CREATE TABLE `community_figures` (
	`id` integer PRIMARY KEY NOT NULL,
	`computed_at` integer NOT NULL,
	`songs_rated_this_week` integer NOT NULL,
	`promises_kept` integer NOT NULL,
	`half_within_ms` integer NOT NULL,
	`most_within_ms` integer NOT NULL,
	`ratings` integer NOT NULL,
	`liked` integer NOT NULL,
	CONSTRAINT "community_figures_one_row" CHECK("community_figures"."id" = 1)
) STRICT;
--> statement-breakpoint
ALTER TABLE `submissions` ADD `completed_at` integer;--> statement-breakpoint
CREATE INDEX `submissions_completed` ON `submissions` (`completed_at`) WHERE completed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ratings_time` ON `ratings` (`created_at`);--> statement-breakpoint
-- Of promises that were kept before there was this column, the last rating tells when: the fifth since
-- the submission, or a later one that earlier submissions have left to it.
UPDATE `submissions` SET `completed_at` = (
	SELECT max(`created_at`) FROM (
		SELECT `created_at`, row_number() OVER (ORDER BY `created_at`, `id`) AS `place`,
			count(*) FILTER (WHERE `created_at` >= `submissions`.`created_at`)
				OVER (ORDER BY `created_at`, `id`) AS `since`
		FROM `ratings` WHERE `ratings`.`song_id` = `submissions`.`song_id`
	) WHERE `place` = `submissions`.`number` * 5 OR `since` = 5
) WHERE `number` * 5 <= (SELECT `entitled` - `owed` FROM `songs` WHERE `songs`.`id` = `submissions`.`song_id`);--> statement-breakpoint
-- A promise is kept by the rating that leaves nothing of it owed.
CREATE TRIGGER `songs_keep_promises` AFTER UPDATE OF `owed` ON `songs`
WHEN NEW.`owed` < OLD.`owed` AND (NEW.`entitled` - NEW.`owed`) % 5 = 0
BEGIN
	UPDATE `submissions` SET `completed_at` = (SELECT max(`created_at`) FROM `ratings` WHERE `song_id` = NEW.`id`)
	WHERE `song_id` = NEW.`id` AND `number` = (NEW.`entitled` - NEW.`owed`) / 5 AND `completed_at` IS NULL;
END;
