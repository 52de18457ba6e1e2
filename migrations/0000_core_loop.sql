CREATE TABLE `activity_log` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text,
	`score` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_log_user` ON `activity_log` (`user_id`);--> statement-breakpoint
CREATE INDEX `activity_log_time` ON `activity_log` (`created_at`);--> statement-breakpoint
CREATE TABLE `email_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`receive_rating_emails` integer DEFAULT true NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `listens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`required_seconds` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`evidence` text,
	`doubted_at` integer,
	`closed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "listens_required" CHECK("listens"."required_seconds" >= 3),
	CONSTRAINT "listens_finished" CHECK(("listens"."finished_at" IS NULL) = ("listens"."evidence" IS NULL) AND ("listens"."finished_at" IS NULL OR "listens"."finished_at" >= "listens"."started_at" + ("listens"."required_seconds" + 1) * 1000))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `listens_open` ON `listens` (`user_id`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `listens_user_song` ON `listens` (`user_id`,`song_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `listens_song` ON `listens` (`song_id`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`to` text,
	`bcc` text,
	`subject` text,
	`html` text,
	`text` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe_key_unique` ON `outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `outbox_state` ON `outbox` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_user` ON `outbox` (`user_id`);--> statement-breakpoint
CREATE TABLE `package_songs` (
	`package_id` text NOT NULL,
	`song_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`package_id`, `song_id`),
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `package_songs_song` ON `package_songs` (`song_id`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`number` integer NOT NULL,
	`drawn_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `packages_number` ON `packages` (`user_id`,`number`);--> statement-breakpoint
CREATE TABLE `ratings` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`rater_id` text NOT NULL,
	`listen_id` text NOT NULL,
	`score` integer NOT NULL,
	`owes_mail` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`rater_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`listen_id`) REFERENCES `listens`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`song_id`,`owner_id`) REFERENCES `songs`(`id`,`owner_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ratings_score" CHECK("ratings"."score" BETWEEN 1 AND 4),
	CONSTRAINT "ratings_not_own" CHECK("ratings"."rater_id" <> "ratings"."owner_id")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_listen_id_unique` ON `ratings` (`listen_id`);--> statement-breakpoint
CREATE INDEX `ratings_song` ON `ratings` (`song_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_rater_song` ON `ratings` (`rater_id`,`song_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`visit` integer DEFAULT 1 NOT NULL,
	`slide` integer DEFAULT 1 NOT NULL,
	`access_token` text NOT NULL,
	`refresh_token` text NOT NULL,
	`token_expires_at` integer NOT NULL,
	`refresh_lease_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_visit" CHECK("sessions"."visit" BETWEEN 1 AND 3),
	CONSTRAINT "sessions_slide" CHECK("sessions"."slide" BETWEEN 1 AND 3)
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `songs` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`track_id` text NOT NULL,
	`title` text NOT NULL,
	`artists` text NOT NULL,
	`album` text NOT NULL,
	`art_url` text,
	`duration_ms` integer NOT NULL,
	`isrc` text,
	`spotify_url` text NOT NULL,
	`fetched_at` integer NOT NULL,
	`entitled` integer NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`owed` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "songs_entitled" CHECK("songs"."entitled" > 0 AND "songs"."entitled" % 5 = 0),
	CONSTRAINT "songs_received" CHECK("songs"."received" >= 0),
	CONSTRAINT "songs_owed" CHECK("songs"."owed" BETWEEN max(0, "songs"."entitled" - "songs"."received") AND "songs"."entitled"),
	CONSTRAINT "songs_due_while_owed" CHECK(("songs"."due_at" IS NOT NULL) = ("songs"."owed" > 0))
) STRICT;
--> statement-breakpoint
CREATE INDEX `songs_due` ON `songs` (`due_at`,`id`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `songs_owner_track` ON `songs` (`owner_id`,`track_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `songs_id_owner` ON `songs` (`id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`number` integer NOT NULL,
	`allotment` integer DEFAULT 5 NOT NULL,
	`spent` integer NOT NULL,
	`limited` integer NOT NULL,
	`request_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "submissions_allotment" CHECK("submissions"."allotment" = 5),
	CONSTRAINT "submissions_spent" CHECK("submissions"."spent" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_number` ON `submissions` (`song_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_request` ON `submissions` (`owner_id`,`request_key`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`tier` text NOT NULL,
	`subscription_id` text,
	`customer_id` text,
	`started_at` integer,
	`cancel_at` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`spotify_id` text NOT NULL,
	`display_name` text NOT NULL,
	`image_url` text,
	`email` text,
	`credits` integer DEFAULT 0 NOT NULL,
	`rated_count` integer DEFAULT 0 NOT NULL,
	`submitted_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_credits" CHECK("users"."credits" >= 0 AND "users"."credits" <= "users"."rated_count"),
	CONSTRAINT "users_submitted_count" CHECK("users"."submitted_count" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_spotify_id_unique` ON `users` (`spotify_id`);