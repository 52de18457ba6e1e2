-- A rating outlives its rater's account and its listen. The table is made anew for that: no other
-- refers to it, so that nothing is deleted along with the old one.
CREATE TABLE `__new_ratings` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`rater_id` text,
	`listen_id` text,
	`score` integer NOT NULL,
	`owes_mail` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`rater_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`listen_id`) REFERENCES `listens`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`song_id`,`owner_id`) REFERENCES `songs`(`id`,`owner_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ratings_score" CHECK("score" BETWEEN 1 AND 4),
	CONSTRAINT "ratings_not_own" CHECK("rater_id" <> "owner_id")
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_ratings`("id", "song_id", "owner_id", "rater_id", "listen_id", "score", "owes_mail", "created_at") SELECT "id", "song_id", "owner_id", "rater_id", "listen_id", "score", "owes_mail", "created_at" FROM `ratings`;--> statement-breakpoint
DROP TABLE `ratings`;--> statement-breakpoint
ALTER TABLE `__new_ratings` RENAME TO `ratings`;--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_listen_id_unique` ON `ratings` (`listen_id`);--> statement-breakpoint
CREATE INDEX `ratings_song` ON `ratings` (`song_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_rater_song` ON `ratings` (`rater_id`,`song_id`);--> statement-breakpoint
-- What NOT NULL held before, and more: no rating without its rater's finished listen of its song.
CREATE TRIGGER `ratings_after_listen` BEFORE INSERT ON `ratings`
WHEN NOT EXISTS (
	SELECT 1 FROM `listens`
	WHERE `id` = NEW.`listen_id` AND `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`
		AND `finished_at` IS NOT NULL
)
BEGIN
	SELECT RAISE(ABORT, 'a rating needs the finished listen of its rater and song');
END;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `users` ADD `rated_withdrawn` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `listens_started` ON `listens` (`started_at`);--> statement-breakpoint
CREATE INDEX `outbox_done` ON `outbox` (`created_at`) WHERE state <> 'pending';
--> statement-breakpoint
CREATE TABLE `confirmation_counts` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `confirmation_counts_fingerprint` ON `confirmation_counts` (`fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `confirmation_counts_time` ON `confirmation_counts` (`created_at`);--> statement-breakpoint
DROP INDEX `email_confirmations_address`;
