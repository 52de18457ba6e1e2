CREATE INDEX `pool_windows_end` ON `pool_windows` (`seen_to`);--> statement-breakpoint
-- Who joins the line must stand behind what any viewer has passed, too: when the last songs leave, the
-- line's end moves back, but the windows do not (pool_windows).
DROP TRIGGER `songs_keep_line`;--> statement-breakpoint
CREATE TRIGGER `songs_keep_line` AFTER UPDATE OF `owed_since`, `resting_since` ON `songs`
WHEN OLD.`owed_since` IS NOT NEW.`owed_since` OR OLD.`resting_since` IS NOT NEW.`resting_since`
BEGIN
	UPDATE `songs` SET `line_since` = iif(`id` IN (
			SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
				AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
			ORDER BY `owed_since`, `id` LIMIT 2
		), max(
			coalesce(`line_since`, max(
				coalesce((SELECT max(`line_since`) FROM `songs` WHERE `line_since` > 0), 0),
				coalesce((SELECT max(`seen_to`) + 1 FROM `pool_windows`), 0)
			)),
			`owed_since`
		), NULL)
	WHERE `id` = NEW.`id` OR `id` IN (
		SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
			AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
		ORDER BY `owed_since`, `id` LIMIT 3
	);
END;--> statement-breakpoint
-- Those kept so far may end behind songs that have joined the line since, and can be deleted at any time.
DELETE FROM `pool_windows`;
