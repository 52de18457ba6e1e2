CREATE TRIGGER `listens_heard` BEFORE UPDATE OF `finished_at` ON `listens`
WHEN OLD.`finished_at` IS NULL AND NEW.`finished_at` IS NOT NULL AND (
	NEW.`recheck_at` IS NOT NULL
	OR NEW.`finished_at` < coalesce(NEW.`observed_at`, NEW.`started_at`)
		+ (NEW.`required_seconds` + 1) * 1000 - NEW.`heard_ms`
	OR NEW.`delivered_ms` < NEW.`required_seconds` * 1000
		AND (SELECT `track_id` IS NULL FROM `songs` WHERE `id` = NEW.`song_id`)
)
BEGIN
	SELECT RAISE(ABORT, 'a listen lasts until what its spot check left has been heard, and the file delivered');
END;

CREATE TRIGGER `passes_unrated` BEFORE INSERT ON `passes`
WHEN EXISTS (SELECT 1 FROM `ratings` WHERE `rater_id` = NEW.`user_id` AND `song_id` = NEW.`song_id`)
BEGIN
	SELECT RAISE(ABORT, 'the user has rated the song');
END;

CREATE TRIGGER `passes_within_a_day` BEFORE INSERT ON `passes`
WHEN NEW.`slot` IS NOT NULL AND (
	SELECT count(`slot`) FROM `passes` WHERE `user_id` = NEW.`user_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 6
BEGIN
	SELECT RAISE(ABORT, 'six passes within 24 hours');
END;

CREATE TRIGGER `ratings_after_listen` BEFORE INSERT ON `ratings`
WHEN NOT EXISTS (
	SELECT 1 FROM `listens`
	WHERE `id` = NEW.`listen_id` AND `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`
		AND `finished_at` IS NOT NULL
)
BEGIN
	SELECT RAISE(ABORT, 'a rating needs the finished listen of its rater and song');
END;

CREATE TRIGGER `reports_within_a_day` BEFORE INSERT ON `reports`
WHEN (
	SELECT count(*) FROM `reports` WHERE `reporter_id` = NEW.`reporter_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 3
BEGIN
	SELECT RAISE(ABORT, 'three reports within 24 hours');
END;

CREATE TRIGGER `notices_within_a_day` BEFORE INSERT ON `notices`
WHEN (
	SELECT count(*) FROM `notices` WHERE `mailbox` = NEW.`mailbox` AND `created_at` > NEW.`created_at` - 86400000
) >= 3
BEGIN
	SELECT RAISE(ABORT, 'three notices within 24 hours');
END;

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
END;

-- When a promise is kept, and when a song begins to rest or returns, places change hands. Who joins the
-- line stands behind everybody in it and behind what any viewer has passed (pool_windows), because
-- windows do not move back when the last songs leave.
CREATE TRIGGER `songs_keep_line` AFTER UPDATE OF `owed_since`, `resting_since` ON `songs`
WHEN (OLD.`owed_since` IS NOT NEW.`owed_since` OR OLD.`resting_since` IS NOT NEW.`resting_since`)
	AND NEW.`owed_since` IS NOT NULL AND NEW.`resting_since` IS NULL
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
END;

-- The same where the song waits for nothing any more, which happens with each promise: the next one alone joins.
CREATE TRIGGER `songs_leave_line` AFTER UPDATE OF `owed_since`, `resting_since` ON `songs`
WHEN (OLD.`owed_since` IS NOT NEW.`owed_since` OR OLD.`resting_since` IS NOT NEW.`resting_since`)
	AND (NEW.`owed_since` IS NULL OR NEW.`resting_since` IS NOT NULL)
BEGIN
	UPDATE `songs` SET `line_since` = NULL WHERE `id` = NEW.`id` AND `line_since` IS NOT NULL;
	UPDATE `songs` SET `line_since` = max(
		coalesce((SELECT max(`line_since`) FROM `songs` WHERE `line_since` > 0), 0),
		coalesce((SELECT max(`seen_to`) + 1 FROM `pool_windows`), 0),
		`owed_since`
	) WHERE `line_since` IS NULL AND `id` IN (
		SELECT `id` FROM `songs` WHERE `owner_id` = NEW.`owner_id`
			AND `owed_since` IS NOT NULL AND `resting_since` IS NULL
		ORDER BY `owed_since`, `id` LIMIT 2
	);
END;

CREATE TRIGGER `songs_keep_promises` AFTER UPDATE OF `owed` ON `songs`
WHEN NEW.`owed` < OLD.`owed` AND (NEW.`entitled` - NEW.`owed`) % 5 = 0
BEGIN
	UPDATE `submissions` SET `completed_at` = (SELECT max(`created_at`) FROM `ratings` WHERE `song_id` = NEW.`id`)
	WHERE `song_id` = NEW.`id` AND `number` = (NEW.`entitled` - NEW.`owed`) / 5 AND `completed_at` IS NULL;
	UPDATE `ratings` SET `sealed` = 0 WHERE `song_id` = NEW.`id` AND `sealed` = 1 AND `round_id` IS NULL;
END;

CREATE TRIGGER `songs_forget_tint` AFTER UPDATE OF `art_url`, `own_recording_id` ON `songs`
WHEN NEW.`tint` IS OLD.`tint`
	AND (NEW.`art_url` IS NOT OLD.`art_url` OR NEW.`own_recording_id` IS NOT OLD.`own_recording_id`)
BEGIN
	UPDATE `songs` SET `tint` = NULL WHERE `id` = NEW.`id` AND `tint` IS NOT NULL;
END;

CREATE TRIGGER `submissions_unlocked` BEFORE INSERT ON `submissions`
WHEN EXISTS (SELECT 1 FROM `submission_locks` WHERE `user_id` = NEW.`owner_id`)
BEGIN
	SELECT RAISE(ABORT, 'the owner may not submit songs');
END;

CREATE TRIGGER `users_change_address` AFTER UPDATE OF `email`, `own_email` ON `users`
WHEN NEW.`address_fingerprint` IS NOT NULL
	AND coalesce(NEW.`own_email`, NEW.`email`) IS NOT coalesce(OLD.`own_email`, OLD.`email`)
BEGIN
	UPDATE `users` SET `address_fingerprint` = NULL WHERE `id` = NEW.`id`;
END;

-- Who gives an address up, or confirms another's, ends what went by it. The customer stays on record, to be read again.
CREATE TRIGGER `subscriptions_follow_address` AFTER UPDATE OF `own_email` ON `users`
WHEN lower(NEW.`own_email`) IS NOT lower(OLD.`own_email`)
BEGIN
	UPDATE `subscriptions`
	SET `status` = 'none', `tier` = 'free', `subscription_id` = NULL, `started_at` = NULL,
		`cancel_at` = NULL, `renews_at` = NULL, `price` = NULL, `failed_at` = NULL, `retry_at` = NULL,
		`ended_at` = NULL, `updated_at` = CAST(unixepoch('subsec') * 1000 AS INTEGER)
	WHERE `matched_address` IN (lower(OLD.`own_email`), lower(NEW.`own_email`));
END;

-- All songs of a track have one code, and with it one recording. Of a track that is here already, the code
-- that is stored stands; only the app's own look at Spotify changes it, and then for all of them.
CREATE TRIGGER `songs_know_recording` AFTER INSERT ON `songs`
BEGIN
	UPDATE `songs` SET `isrc` = coalesce((
			SELECT `isrc` FROM `songs` AS `same`
			WHERE `same`.`track_id` = NEW.`track_id` AND `same`.`isrc` IS NOT NULL AND `same`.`id` <> NEW.`id` LIMIT 1
		), NEW.`isrc`)
	WHERE `id` = NEW.`id`;
END;

-- An own recording is known by its file: the same bytes are one recording, and a new mix is another.
CREATE TRIGGER `songs_share_recording` AFTER UPDATE OF `isrc`, `track_id`, `own_recording_id` ON `songs`
BEGIN
	UPDATE `songs` SET `recording` = (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
	WHERE `id` = NEW.`id` AND `track_id` IS NULL
		AND `recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`);
	UPDATE `songs` SET `isrc` = coalesce(NEW.`isrc`, `isrc`),
		`recording` = coalesce(NEW.`isrc`, `isrc`, `track_id`)
	WHERE `track_id` = NEW.`track_id` AND `recording` IS NOT coalesce(NEW.`isrc`, `isrc`, `track_id`);
END;

-- Who has rated two songs that turn out to be one recording keeps both ratings, one of them with its song in the
-- place of the copy, until the two turn out to be different after all. Then songs open that windows have passed.
-- Without OR IGNORE, which holds in no trigger that an upsert has set off.
CREATE TRIGGER `songs_keep_recording` AFTER UPDATE OF `recording` ON `songs`
WHEN OLD.`recording` IS NOT NEW.`recording`
BEGIN
	UPDATE `ratings` SET `recording` = iif(EXISTS (
			SELECT 1 FROM `ratings` AS `other`
			WHERE `other`.`rater_id` = `ratings`.`rater_id` AND `other`.`recording` = NEW.`recording` AND `other`.`song_id` <> NEW.`id`
		), `song_id`, NEW.`recording`)
	WHERE `song_id` = NEW.`id`;
	UPDATE `ratings` SET `recording` = OLD.`recording` WHERE `id` IN (
		SELECT min(`one`.`id`) FROM `songs` JOIN `ratings` AS `one` ON `one`.`song_id` = `songs`.`id`
		WHERE `songs`.`recording` = OLD.`recording` AND `one`.`recording` = `one`.`song_id` AND NOT EXISTS (
			SELECT 1 FROM `ratings` AS `other`
			WHERE `other`.`rater_id` = `one`.`rater_id` AND `other`.`recording` = OLD.`recording`
		) GROUP BY `one`.`rater_id`
	);
	UPDATE `passes` SET `recording` = NEW.`recording` WHERE `song_id` = NEW.`id`;
	UPDATE `rating_marks` SET `recording` = NEW.`recording` WHERE `song_id` = NEW.`id`;
	DELETE FROM `pool_windows` WHERE EXISTS (
		SELECT 1 FROM `songs` WHERE `recording` = OLD.`recording`
			AND (`track_id` <> NEW.`track_id` OR NEW.`track_id` IS NULL)
	);
END;

-- A copy that is restored before its song stays as it is, here and below.
CREATE TRIGGER `ratings_recording` AFTER INSERT ON `ratings`
WHEN NEW.`recording` IS NOT (SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`)
BEGIN
	UPDATE `ratings` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `id` = NEW.`id`;
END;

CREATE TRIGGER `passes_recording` AFTER INSERT ON `passes`
BEGIN
	UPDATE `passes` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `id` = NEW.`id`;
END;

CREATE TRIGGER `rating_marks_recording` AFTER INSERT ON `rating_marks`
BEGIN
	UPDATE `rating_marks` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `departure_id` = NEW.`departure_id` AND `song_id` = NEW.`song_id`;
END;

-- Both are asked of the song's recording, read once.
CREATE TRIGGER `ratings_open_recording` BEFORE INSERT ON `ratings`
BEGIN
	SELECT CASE
		WHEN EXISTS (
			SELECT 1 FROM `passes` WHERE `user_id` = NEW.`rater_id` AND `recording` = `songs`.`recording`
		) THEN RAISE(ABORT, 'the rater has passed on the recording')
		WHEN EXISTS (
			SELECT 1 FROM `songs` AS `own` WHERE `own`.`owner_id` = NEW.`rater_id`
				AND `own`.`recording` = `songs`.`recording` AND `own`.`id` <> `songs`.`id`
		) THEN RAISE(ABORT, 'the rater has submitted the recording')
	END FROM `songs` WHERE `id` = NEW.`song_id`;
END;

-- Who has heard an earlier mix, and not rated it, has not heard this one.
CREATE TRIGGER `songs_unhear_mix` AFTER UPDATE OF `own_recording_id` ON `songs`
WHEN OLD.`track_id` IS NULL
	AND OLD.`recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
BEGIN
	DELETE FROM `listens` WHERE `song_id` = NEW.`id` AND NOT EXISTS (
		SELECT 1 FROM `ratings` WHERE `rater_id` = `listens`.`user_id` AND `song_id` = NEW.`id`
	);
END;

-- The ratings that a song is still owed are for the mix that was submitted.
CREATE TRIGGER `songs_keep_mix` BEFORE UPDATE OF `own_recording_id` ON `songs`
WHEN OLD.`owed` > 0 AND OLD.`recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
	AND OLD.`track_id` IS NULL
BEGIN
	SELECT RAISE(ABORT, 'the song is still owed ratings of this mix');
END;

-- Whatever deletes a recording, its account included, or ends its file, leaves the files to the job.
CREATE TRIGGER `recordings_leave_files` AFTER DELETE ON `recordings`
BEGIN
	INSERT OR IGNORE INTO `file_deletions` (`key`, `created_at`)
	VALUES (OLD.`id` || '/audio', CAST(unixepoch('subsec') * 1000 AS INTEGER)),
		(OLD.`id` || '/cover', CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER `users_own_address` BEFORE UPDATE OF `own_email`, `spotify_id` ON `users`
WHEN NEW.`own_email` IS NOT NULL AND EXISTS (
	SELECT 1 FROM `users` AS `other`
	WHERE `other`.`own_email` IS NOT NULL AND `other`.`own_mailbox` = NEW.`own_mailbox`
		AND `other`.`id` <> NEW.`id` AND (`other`.`spotify_id` IS NULL OR NEW.`spotify_id` IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'the address is the only way into an account, and another has it');
END;

CREATE TRIGGER `users_own_address_new` BEFORE INSERT ON `users`
WHEN NEW.`own_email` IS NOT NULL AND EXISTS (
	SELECT 1 FROM `users` AS `other`
	WHERE `other`.`own_email` IS NOT NULL AND `other`.`own_mailbox` = NEW.`own_mailbox`
		AND `other`.`id` <> NEW.`id` AND (`other`.`spotify_id` IS NULL OR NEW.`spotify_id` IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'the address is the only way into an account, and another has it');
END;

CREATE TRIGGER `login_grants_of_open_codes` BEFORE INSERT ON `login_grants`
WHEN NOT EXISTS (
	SELECT 1 FROM `mailed_proofs`
	WHERE `id` = NEW.`code_id` AND `kind` <> 'confirmation' AND NEW.`verified_at` >= `created_at` AND NEW.`verified_at` < `expires_at`
)
BEGIN
	SELECT RAISE(ABORT, 'the code is over');
END;

-- Wrong tries by whom their mailbox does not know, of all codes of a day (UTC).
CREATE TRIGGER `mailed_proofs_count_tries` AFTER UPDATE OF `wrong_tries` ON `mailed_proofs`
WHEN NEW.`wrong_tries` > OLD.`wrong_tries` AND NEW.`kind` = 'login'
BEGIN
	INSERT INTO `daily_counts` (`day`, `name`, `count`)
	VALUES (strftime('%Y-%m-%d', NEW.`created_at` / 1000, 'unixepoch'), 'login_code_wrong', NEW.`wrong_tries` - OLD.`wrong_tries`)
	ON CONFLICT (`day`, `name`) DO UPDATE SET `count` = `count` + excluded.`count`;
END;

-- Confirmations that are mailed, of a day (UTC). A code that was typed has confirmed its address without one.
CREATE TRIGGER `mailed_proofs_count` AFTER INSERT ON `mailed_proofs`
WHEN NEW.`kind` = 'confirmation' AND NEW.`used_at` IS NULL
BEGIN
	INSERT INTO `daily_counts` (`day`, `name`, `count`)
	VALUES (strftime('%Y-%m-%d', NEW.`created_at` / 1000, 'unixepoch'), 'confirmation_mailed', 1)
	ON CONFLICT (`day`, `name`) DO UPDATE SET `count` = `count` + 1;
END;

-- What counts a user's confirmations stays for its day.
CREATE TRIGGER `users_leave_mailed_proofs` AFTER DELETE ON `users`
BEGIN
	UPDATE `mailed_proofs` SET `asked_by` = '', `address` = '', `used_at` = NULL
	WHERE `asked_by` = OLD.`id`;
END;

CREATE TRIGGER `recordings_end_files` AFTER UPDATE OF `file_ended_at` ON `recordings`
WHEN OLD.`file_ended_at` IS NULL AND NEW.`file_ended_at` IS NOT NULL
BEGIN
	INSERT OR IGNORE INTO `file_deletions` (`key`, `created_at`)
	VALUES (OLD.`id` || '/audio', CAST(unixepoch('subsec') * 1000 AS INTEGER)),
		(OLD.`id` || '/cover', CAST(unixepoch('subsec') * 1000 AS INTEGER));
	UPDATE `songs` SET `tint` = NULL WHERE `own_recording_id` = NEW.`id` AND NEW.`cover_type` IS NOT NULL;
END;

-- A recording goes with the last submission of it, and so with its song.
CREATE TRIGGER `submissions_leave_recordings` AFTER DELETE ON `submissions`
WHEN OLD.`own_recording_id` IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM `submissions` WHERE `own_recording_id` = OLD.`own_recording_id`)
BEGIN
	DELETE FROM `recordings` WHERE `id` = OLD.`own_recording_id`;
END;

CREATE TRIGGER `release_wishes_of_raters` BEFORE INSERT ON `release_wishes`
WHEN NOT EXISTS (
	SELECT 1 FROM `ratings` JOIN `songs` ON `songs`.`id` = `ratings`.`song_id`
	WHERE `rater_id` = NEW.`user_id` AND `song_id` = NEW.`song_id` AND `score` = 4 AND `track_id` IS NULL
)
BEGIN
	SELECT RAISE(ABORT, 'only an own recording rated "Added to my playlist!" is wished for');
END;

CREATE TRIGGER `ratings_end_wishes` AFTER UPDATE OF `score` ON `ratings`
WHEN NEW.`score` <> 4
BEGIN
	DELETE FROM `release_wishes` WHERE `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`;
END;

-- The last seat goes to one of two, and nobody comes or changes once the round has begun.
CREATE TRIGGER `round_members_join` BEFORE INSERT ON `round_members`
WHEN NEW.`song_id` IS NOT NULL AND (
	SELECT `begun_at` IS NOT NULL OR `ended_at` IS NOT NULL OR `seats` <= (
		SELECT count(`song_id`) FROM `round_members` WHERE `round_id` = NEW.`round_id`
	) FROM `rounds` WHERE `id` = NEW.`round_id`
)
BEGIN
	SELECT RAISE(ABORT, 'the round takes no more songs');
END;

CREATE TRIGGER `round_members_change` BEFORE UPDATE OF `song_id` ON `round_members`
WHEN NEW.`song_id` IS NOT OLD.`song_id` AND (
	SELECT `begun_at` IS NOT NULL OR `ended_at` IS NOT NULL OR `seats` <= (
		SELECT count(`song_id`) FROM `round_members` WHERE `round_id` = NEW.`round_id` AND `user_id` <> NEW.`user_id`
	) FROM `rounds` WHERE `id` = NEW.`round_id`
)
BEGIN
	SELECT RAISE(ABORT, 'the round takes no more songs');
END;

-- A song is in one round at a time, and in no line meanwhile.
CREATE TRIGGER `round_members_alone` BEFORE INSERT ON `round_members`
WHEN EXISTS (SELECT 1 FROM `songs` WHERE `id` = NEW.`song_id` AND `owed` > 0)
	OR EXISTS (
		SELECT 1 FROM `round_members` AS `other` JOIN `rounds` ON `rounds`.`id` = `other`.`round_id`
		WHERE `other`.`song_id` = NEW.`song_id` AND `other`.`round_id` <> NEW.`round_id`
			AND `ended_at` IS NULL AND `rounds`.`opened_at` IS NULL
	)
BEGIN
	SELECT RAISE(ABORT, 'the song waits for ratings, or is in a round');
END;

CREATE TRIGGER `round_members_stay_alone` BEFORE UPDATE OF `song_id` ON `round_members`
WHEN EXISTS (SELECT 1 FROM `songs` WHERE `id` = NEW.`song_id` AND `owed` > 0)
	OR EXISTS (
		SELECT 1 FROM `round_members` AS `other` JOIN `rounds` ON `rounds`.`id` = `other`.`round_id`
		WHERE `other`.`song_id` = NEW.`song_id` AND `other`.`round_id` <> NEW.`round_id`
			AND `ended_at` IS NULL AND `rounds`.`opened_at` IS NULL
	)
BEGIN
	SELECT RAISE(ABORT, 'the song waits for ratings, or is in a round');
END;

CREATE TRIGGER `songs_leave_rounds` BEFORE UPDATE OF `owed` ON `songs`
WHEN NEW.`owed` > OLD.`owed` AND EXISTS (
	SELECT 1 FROM `round_members` JOIN `rounds` ON `rounds`.`id` = `round_id`
	WHERE `song_id` = NEW.`id` AND `ended_at` IS NULL AND `rounds`.`opened_at` IS NULL
)
BEGIN
	SELECT RAISE(ABORT, 'the song is in a round');
END;

CREATE TRIGGER `ratings_of_rounds` BEFORE INSERT ON `ratings`
WHEN NEW.`round_id` IS NOT NULL AND (NEW.`sealed` = 0 OR NEW.`owes_mail` = 1 OR NOT EXISTS (
	SELECT 1 FROM `rounds`
	JOIN `round_members` AS `its` ON `its`.`round_id` = `rounds`.`id` AND `its`.`song_id` = NEW.`song_id`
	JOIN `round_members` AS `mine` ON `mine`.`round_id` = `rounds`.`id` AND `mine`.`user_id` = NEW.`rater_id`
	WHERE `rounds`.`id` = NEW.`round_id` AND `begun_at` IS NOT NULL AND `mine`.`song_id` IS NOT NULL
))
BEGIN
	SELECT RAISE(ABORT, 'a song of a round is rated by its members, and sealed');
END;

CREATE TRIGGER `ratings_stay_sealed` BEFORE UPDATE OF `sealed` ON `ratings`
WHEN OLD.`round_id` IS NOT NULL AND NEW.`sealed` = 0
	AND (SELECT `opened_at` IS NULL FROM `rounds` WHERE `id` = OLD.`round_id`)
BEGIN
	SELECT RAISE(ABORT, 'the round is not open yet');
END;
