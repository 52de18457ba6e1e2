CREATE TABLE `activity_log` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_log_user` ON `activity_log` (`user_id`);--> statement-breakpoint
CREATE INDEX `activity_log_time` ON `activity_log` (`created_at`);--> statement-breakpoint
CREATE INDEX `activity_log_logins` ON `activity_log` (`user_id`,`created_at`) WHERE kind = 'login';--> statement-breakpoint
CREATE TABLE `billing_events` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `billing_events_time` ON `billing_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `community_days` (
	`day` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL,
	`counted_to` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `community_figures` (
	`id` integer PRIMARY KEY NOT NULL,
	`computed_at` integer NOT NULL,
	`songs_rated_this_week` integer NOT NULL,
	`promises_kept` integer NOT NULL,
	`half_within_ms` integer NOT NULL,
	`most_within_ms` integer NOT NULL,
	`ratings` integer NOT NULL,
	`liked` integer NOT NULL,
	CONSTRAINT "community_figures_rows" CHECK("community_figures"."id" IN (1, 2))
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`day` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `name`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_stats` (
	`day` text PRIMARY KEY NOT NULL,
	`logins` integer NOT NULL,
	`listens` integer NOT NULL,
	`ratings` integer NOT NULL,
	`passes` integer NOT NULL,
	`submissions` integer NOT NULL,
	`half_hours` integer,
	`nine_tenths_hours` integer,
	`owed` integer,
	`empty_visits` integer NOT NULL,
	`mails_sent` integer NOT NULL,
	`mails_failed` integer NOT NULL,
	`mails_waiting` integer,
	`premium_members` integer,
	`jobs_failed` integer NOT NULL,
	`written_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `declarations` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`fingerprint` text NOT NULL,
	`asker` text NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer,
	CONSTRAINT "declarations_kind" CHECK("declarations"."kind" IN ('cancel', 'withdraw'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `declarations_key_unique` ON `declarations` (`key`);--> statement-breakpoint
CREATE INDEX `declarations_time` ON `declarations` (`created_at`);--> statement-breakpoint
CREATE INDEX `declarations_mailbox` ON `declarations` (`fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `declarations_asker` ON `declarations` (`asker`,`created_at`);--> statement-breakpoint
CREATE TABLE `departures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`left_at` integer NOT NULL,
	`recognised_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `departures_left` ON `departures` (`left_at`);--> statement-breakpoint
CREATE INDEX `departures_user` ON `departures` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `email_preferences` (
	`user_id` text PRIMARY KEY NOT NULL,
	`receive_rating_emails` integer DEFAULT true NOT NULL,
	`rating_mail_rhythm` text DEFAULT 'each' NOT NULL,
	`receive_subscription_emails` integer DEFAULT true NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `file_deletions` (
	`key` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_deletions_time` ON `file_deletions` (`created_at`);--> statement-breakpoint
CREATE TABLE `job_runs` (
	`job` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`failed_at` integer
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
	`observed_at` integer,
	`heard_ms` integer DEFAULT 0 NOT NULL,
	`position_ms` integer DEFAULT 0 NOT NULL,
	`recheck_at` integer,
	`delivered_ms` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "listens_required" CHECK("listens"."required_seconds" >= 3),
	CONSTRAINT "listens_finished" CHECK(("listens"."finished_at" IS NULL) = ("listens"."evidence" IS NULL) AND ("listens"."finished_at" IS NULL OR "listens"."finished_at" >= "listens"."started_at" + ("listens"."required_seconds" + 1) * 1000))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `listens_open` ON `listens` (`user_id`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX `listens_user_song` ON `listens` (`user_id`,`song_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `listens_song` ON `listens` (`song_id`);--> statement-breakpoint
CREATE INDEX `listens_started` ON `listens` (`started_at`);--> statement-breakpoint
CREATE TABLE `login_grants` (
	`code_id` text NOT NULL,
	`by` text NOT NULL,
	`verified_at` integer NOT NULL,
	`ticket` text NOT NULL,
	`session_id` text,
	PRIMARY KEY(`code_id`, `by`),
	FOREIGN KEY (`code_id`) REFERENCES `mailed_proofs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "login_grants_by" CHECK("login_grants"."by" IN ('code', 'link'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `login_grants_ticket_unique` ON `login_grants` (`ticket`);--> statement-breakpoint
CREATE TABLE `mail_suppressions` (
	`fingerprint` text NOT NULL,
	`topic` text NOT NULL,
	`bounced_at` integer,
	PRIMARY KEY(`fingerprint`, `topic`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `mail_suppressions_bounced` ON `mail_suppressions` (`bounced_at`) WHERE bounced_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mailed_proofs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`number` integer,
	`address` text NOT NULL,
	`asked_by` text NOT NULL,
	`fingerprint` text,
	`asker` text,
	`asker_56` text,
	`asker_48` text,
	`spotify_way` text,
	`mailbox_way` text,
	`again` text,
	`next` text DEFAULT '/' NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`made_account` integer DEFAULT false NOT NULL,
	CONSTRAINT "mailed_proofs_kind" CHECK("mailed_proofs"."kind" IN ('login', 'known login', 'confirmation')),
	CONSTRAINT "mailed_proofs_used" CHECK("mailed_proofs"."used_at" IS NULL OR "mailed_proofs"."used_at" < "mailed_proofs"."expires_at"),
	CONSTRAINT "mailed_proofs_tries" CHECK("mailed_proofs"."wrong_tries" BETWEEN 0 AND 5)
) STRICT;
--> statement-breakpoint
CREATE INDEX `mailed_proofs_number` ON `mailed_proofs` (`number`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_asked_by` ON `mailed_proofs` (`asked_by`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_fingerprint` ON `mailed_proofs` (`fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_asker` ON `mailed_proofs` (`asker`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_asker_56` ON `mailed_proofs` (`asker_56`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_asker_48` ON `mailed_proofs` (`asker_48`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_spotify_way` ON `mailed_proofs` (`spotify_way`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_mailbox_way` ON `mailed_proofs` (`mailbox_way`,`created_at`);--> statement-breakpoint
CREATE INDEX `mailed_proofs_confirmed` ON `mailed_proofs` (lower("address")) WHERE kind = 'confirmation';--> statement-breakpoint
CREATE INDEX `mailed_proofs_unused` ON `mailed_proofs` (`created_at`) WHERE used_at IS NULL;--> statement-breakpoint
CREATE INDEX `mailed_proofs_used_by_place` ON `mailed_proofs` (`created_at`) WHERE used_at IS NOT NULL AND asker IS NOT NULL;--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`location` text NOT NULL,
	`song_id` text,
	`words` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`mailbox` text GENERATED ALWAYS AS (iif(substr(lower(address), instr(lower(address), '@')) IN ('@gmail.com', '@googlemail.com'), replace(substr(lower(address), 1, iif(instr(lower(address), '+') > 1, instr(lower(address), '+'), instr(lower(address), '@')) - 1), '.', '') || '@gmail.com', substr(lower(address), 1, iif(instr(lower(address), '+') > 1, instr(lower(address), '+'), instr(lower(address), '@')) - 1) || substr(lower(address), instr(lower(address), '@')))) VIRTUAL,
	`created_at` integer NOT NULL,
	`mailed_at` integer,
	`decided_at` integer,
	`decision_id` text,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "notices_decision" CHECK(("notices"."decided_at" IS NULL) = ("notices"."decision_id" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `notices_song` ON `notices` (`song_id`);--> statement-breakpoint
CREATE INDEX `notices_mailbox` ON `notices` (`mailbox`,`created_at`);--> statement-breakpoint
CREATE INDEX `notices_unmailed` ON `notices` (`created_at`) WHERE mailed_at IS NULL;--> statement-breakpoint
CREATE INDEX `notices_open` ON `notices` (`created_at`) WHERE decided_at IS NULL;--> statement-breakpoint
CREATE INDEX `notices_decided` ON `notices` (`decided_at`) WHERE decided_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `notices_once` ON `notices` (`mailbox`,`location`) WHERE decided_at IS NULL;--> statement-breakpoint
CREATE TABLE `operator_log` (
	`id` text PRIMARY KEY NOT NULL,
	`operator` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`user_id` text,
	`reason` text NOT NULL,
	`ground` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `operator_log_user` ON `operator_log` (`user_id`);--> statement-breakpoint
CREATE INDEX `operator_log_time` ON `operator_log` (`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`mail_id` text,
	`state` text DEFAULT 'pending' NOT NULL,
	`not_before` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`fault` text,
	`created_at` integer NOT NULL,
	`sent_at` integer,
	`to` text,
	`bcc` text,
	`subject` text,
	`html` text,
	`text` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "outbox_user_known" CHECK(("outbox"."user_id" IS NULL) = ("outbox"."kind" IN ('login_code', 'declaration', 'declaration_open', 'notice', 'notice_decision'))),
	CONSTRAINT "outbox_secret" CHECK("outbox"."kind" <> 'login_code' OR coalesce("outbox"."subject", "outbox"."html", "outbox"."text") IS NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_dedupe_key_unique` ON `outbox` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `outbox_not_before` ON `outbox` (`not_before`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `outbox_mail` ON `outbox` (`mail_id`) WHERE mail_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_gathering` ON `outbox` (`user_id`) WHERE state = 'pending' AND mail_id IS NULL;--> statement-breakpoint
CREATE INDEX `outbox_user` ON `outbox` (`user_id`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_done` ON `outbox` (`created_at`) WHERE state <> 'pending';--> statement-breakpoint
CREATE INDEX `outbox_failed` ON `outbox` (`created_at`) WHERE state = 'failed';--> statement-breakpoint
CREATE TABLE `package_songs` (
	`package_id` text NOT NULL,
	`song_id` text NOT NULL,
	`position` integer NOT NULL,
	`favorited_at` integer,
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
CREATE TABLE `passes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`package_id` text NOT NULL,
	`slot` integer,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`recording` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passes_slots" CHECK("passes"."slot" BETWEEN 1 AND 2),
	CONSTRAINT "passes_beyond" CHECK("passes"."slot" IS NOT NULL OR "passes"."reason" = 'report'),
	CONSTRAINT "passes_reason" CHECK("passes"."reason" IN ('unplayable', 'known', 'taste', 'generated', 'report'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `passes_user` ON `passes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `passes_user_recording` ON `passes` (`user_id`,`recording`);--> statement-breakpoint
CREATE INDEX `passes_song` ON `passes` (`song_id`);--> statement-breakpoint
CREATE INDEX `passes_time` ON `passes` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_user_song` ON `passes` (`user_id`,`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passes_slot` ON `passes` (`package_id`,`slot`);--> statement-breakpoint
CREATE TABLE `playlist_adds` (
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`playlist_id` text NOT NULL,
	`playlist_name` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `song_id`, `playlist_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `playlist_adds_song` ON `playlist_adds` (`song_id`);--> statement-breakpoint
CREATE INDEX `playlist_adds_time` ON `playlist_adds` (`added_at`);--> statement-breakpoint
CREATE TABLE `pool_windows` (
	`user_id` text NOT NULL,
	`hears_spotify` integer NOT NULL,
	`seen_to` integer NOT NULL,
	`waiting` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hears_spotify`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `pool_windows_time` ON `pool_windows` (`updated_at`);--> statement-breakpoint
CREATE INDEX `pool_windows_end` ON `pool_windows` (`seen_to`);--> statement-breakpoint
CREATE TABLE `rating_marks` (
	`departure_id` text NOT NULL,
	`song_id` text NOT NULL,
	`recording` text,
	PRIMARY KEY(`departure_id`, `song_id`),
	FOREIGN KEY (`departure_id`) REFERENCES `departures`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rating_marks_recording` ON `rating_marks` (`departure_id`,`recording`);--> statement-breakpoint
CREATE INDEX `rating_marks_song` ON `rating_marks` (`song_id`);--> statement-breakpoint
CREATE TABLE `ratings` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`rater_id` text,
	`listen_id` text,
	`score` integer NOT NULL,
	`reasons` integer,
	`in_playlist` integer DEFAULT false NOT NULL,
	`wants_release` integer DEFAULT false NOT NULL,
	`round_id` text,
	`sealed` integer DEFAULT false NOT NULL,
	`recording` text,
	`owes_mail` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`rater_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`listen_id`) REFERENCES `listens`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`round_id`) REFERENCES `rounds`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`song_id`,`owner_id`) REFERENCES `songs`(`id`,`owner_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "ratings_score" CHECK("ratings"."score" BETWEEN 1 AND 4),
	CONSTRAINT "ratings_not_own" CHECK("ratings"."rater_id" <> "ratings"."owner_id"),
	CONSTRAINT "ratings_reasons" CHECK("ratings"."reasons" BETWEEN 1 AND 4095 AND ("ratings"."reasons" & ("ratings"."reasons" >> 6)) = 0 AND ("ratings"."reasons" >> 0 & 1) + ("ratings"."reasons" >> 1 & 1) + ("ratings"."reasons" >> 2 & 1) + ("ratings"."reasons" >> 3 & 1) + ("ratings"."reasons" >> 4 & 1) + ("ratings"."reasons" >> 5 & 1) + ("ratings"."reasons" >> 6 & 1) + ("ratings"."reasons" >> 7 & 1) + ("ratings"."reasons" >> 8 & 1) + ("ratings"."reasons" >> 9 & 1) + ("ratings"."reasons" >> 10 & 1) + ("ratings"."reasons" >> 11 & 1) <= 3),
	CONSTRAINT "ratings_in_playlist" CHECK("ratings"."in_playlist" = 0 OR "ratings"."in_playlist" = 1 AND "ratings"."score" = 4),
	CONSTRAINT "ratings_wants_release" CHECK("ratings"."wants_release" = 0 OR "ratings"."wants_release" = 1 AND "ratings"."score" = 4)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_listen_id_unique` ON `ratings` (`listen_id`);--> statement-breakpoint
CREATE INDEX `ratings_song` ON `ratings` (`song_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `ratings_given` ON `ratings` (`rater_id`,`created_at`,`song_id`);--> statement-breakpoint
CREATE INDEX `ratings_time` ON `ratings` (`created_at`);--> statement-breakpoint
CREATE INDEX `ratings_sealed` ON `ratings` (`song_id`) WHERE sealed = 1;--> statement-breakpoint
CREATE INDEX `ratings_round` ON `ratings` (`round_id`,`song_id`) WHERE round_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_rater_song` ON `ratings` (`rater_id`,`song_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ratings_rater_recording` ON `ratings` (`rater_id`,`recording`);--> statement-breakpoint
CREATE TABLE `recordings` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`state` text NOT NULL,
	`hash` text,
	`drawn_from` text,
	`type` text,
	`bytes` integer,
	`duration_ms` integer,
	`audio_start` integer,
	`audio_end` integer,
	`title` text NOT NULL,
	`artist` text NOT NULL,
	`made` text,
	`cover_type` text,
	`cover_bytes` integer,
	`mix_of` text,
	`loudness` integer,
	`agreed_cost` integer,
	`hearing` text,
	`created_at` integer NOT NULL,
	`file_ended_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "recordings_state" CHECK("recordings"."state" IN ('arriving', 'draft', 'submitted')),
	CONSTRAINT "recordings_type" CHECK("recordings"."type" IN ('mp3', 'm4a', 'flac', 'wav')),
	CONSTRAINT "recordings_made" CHECK("recordings"."made" IN ('people', 'partly', 'generated')),
	CONSTRAINT "recordings_hearing" CHECK("recordings"."hearing" IN ('heard', 'silent')),
	CONSTRAINT "recordings_heard" CHECK("recordings"."state" <> 'submitted' OR "recordings"."hearing" IS 'heard' AND "recordings"."made" IS NOT NULL),
	CONSTRAINT "recordings_cover_type" CHECK("recordings"."cover_type" IN ('jpeg', 'png', 'webp')),
	CONSTRAINT "recordings_read" CHECK("recordings"."state" = 'arriving' OR "recordings"."hash" IS NOT NULL AND "recordings"."drawn_from" IS NOT NULL AND "recordings"."type" IS NOT NULL AND "recordings"."bytes" > 0 AND "recordings"."duration_ms" > 0 AND "recordings"."audio_start" IS NOT NULL AND "recordings"."audio_start" BETWEEN 0 AND "recordings"."bytes" AND "recordings"."title" <> ''),
	CONSTRAINT "recordings_loudness" CHECK("recordings"."loudness" BETWEEN -700 AND 100),
	CONSTRAINT "recordings_cover" CHECK(("recordings"."cover_type" IS NULL) = ("recordings"."cover_bytes" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `recordings_owner` ON `recordings` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `recordings_owner_hash` ON `recordings` (`owner_id`,`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `recordings_draft` ON `recordings` (`owner_id`,`hash`) WHERE state = 'draft' AND file_ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `recordings_files` ON `recordings` (`bytes`,`cover_bytes`,`file_ended_at`) WHERE file_ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `recordings_unsubmitted` ON `recordings` (`created_at`) WHERE state <> 'submitted';--> statement-breakpoint
CREATE UNIQUE INDEX `recordings_id_owner` ON `recordings` (`id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `release_wishes` (
	`user_id` text NOT NULL,
	`song_id` text NOT NULL,
	`asked_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `song_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `release_wishes_song` ON `release_wishes` (`song_id`,`asked_at`);--> statement-breakpoint
CREATE INDEX `release_wishes_asked` ON `release_wishes` (`asked_at`);--> statement-breakpoint
CREATE TABLE `releases` (
	`song_id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`mails_at` integer NOT NULL,
	`mailed` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "releases_url" CHECK("releases"."url" GLOB 'https://?*')
) STRICT;
--> statement-breakpoint
CREATE INDEX `releases_due` ON `releases` (`mails_at`) WHERE mailed = 0;--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`reporter_id` text,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`mailed_at` integer,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "reports_closed" CHECK("reports"."closed_at" IS NULL OR "reports"."reporter_id" IS NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `reports_song` ON `reports` (`song_id`);--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_time` ON `reports` (`created_at`);--> statement-breakpoint
CREATE INDEX `reports_unmailed` ON `reports` (`created_at`) WHERE mailed_at IS NULL;--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TABLE `round_members` (
	`round_id` text NOT NULL,
	`user_id` text NOT NULL,
	`song_id` text,
	`joined_at` integer NOT NULL,
	`listened_at` integer,
	`opened_at` integer,
	`shown_at` integer,
	PRIMARY KEY(`round_id`, `user_id`),
	FOREIGN KEY (`round_id`) REFERENCES `rounds`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`song_id`,`user_id`) REFERENCES `songs`(`id`,`owner_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "round_members_shown" CHECK("round_members"."shown_at" IS NULL OR "round_members"."opened_at" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `round_members_user` ON `round_members` (`user_id`);--> statement-breakpoint
CREATE INDEX `round_members_song` ON `round_members` (`song_id`) WHERE song_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `rounds` (
	`id` text PRIMARY KEY NOT NULL,
	`host_id` text,
	`name` text NOT NULL,
	`token` text NOT NULL,
	`seats` integer NOT NULL,
	`gather_until` integer NOT NULL,
	`listen_ms` integer NOT NULL,
	`created_at` integer NOT NULL,
	`begun_at` integer,
	`ends_at` integer,
	`ended_at` integer,
	`opened_at` integer,
	`reminded_at` integer,
	FOREIGN KEY (`host_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "rounds_seats" CHECK("rounds"."seats" BETWEEN 6 AND 50),
	CONSTRAINT "rounds_state" CHECK(("rounds"."begun_at" IS NULL) = ("rounds"."ends_at" IS NULL) AND ("rounds"."begun_at" IS NULL OR "rounds"."ended_at" IS NULL) AND ("rounds"."opened_at" IS NULL OR "rounds"."begun_at" IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rounds_token_unique` ON `rounds` (`token`);--> statement-breakpoint
CREATE INDEX `rounds_host` ON `rounds` (`host_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `rounds_gathering` ON `rounds` (`gather_until`) WHERE begun_at IS NULL AND ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `rounds_listening` ON `rounds` (`ends_at`) WHERE begun_at IS NOT NULL AND opened_at IS NULL;--> statement-breakpoint
CREATE INDEX `rounds_opened` ON `rounds` (`opened_at`) WHERE opened_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `rounds_ended` ON `rounds` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`way` text NOT NULL,
	`client_id` text,
	`access_token` text,
	`refresh_token` text,
	`token_expires_at` integer,
	`refresh_lease_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`device` text,
	`has_spotify_premium` integer,
	`may_add_to_playlists` integer DEFAULT false NOT NULL,
	`ended_by_spotify` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "sessions_way" CHECK("sessions"."way" IN ('spotify', 'email')),
	CONSTRAINT "sessions_connection" CHECK(("sessions"."access_token" IS NULL) = ("sessions"."client_id" IS NULL) AND ("sessions"."access_token" IS NULL) = ("sessions"."refresh_token" IS NULL) AND ("sessions"."access_token" IS NULL) = ("sessions"."token_expires_at" IS NULL))
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_hearing` ON `sessions` (`expires_at`) WHERE access_token IS NOT NULL AND has_spotify_premium IS NOT 0;--> statement-breakpoint
CREATE TABLE `shares` (
	`song_id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`snapshot` text NOT NULL,
	`picture` text,
	`published_at` integer NOT NULL,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_token_unique` ON `shares` (`token`);--> statement-breakpoint
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
CREATE INDEX `song_wishes_looked` ON `song_wishes` (`looked_at`);--> statement-breakpoint
CREATE TABLE `songs` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`track_id` text,
	`own_recording_id` text,
	`title` text NOT NULL,
	`artists` text NOT NULL,
	`artist_ids` text DEFAULT '[]' NOT NULL,
	`album` text NOT NULL,
	`art_url` text,
	`smaller_art` text DEFAULT '{}' NOT NULL,
	`tint` integer,
	`duration_ms` integer NOT NULL,
	`isrc` text,
	`recording` text,
	`explicit` integer DEFAULT false NOT NULL,
	`made` text DEFAULT 'people' NOT NULL,
	`sounds_generated_since` integer,
	`spotify_url` text,
	`fetched_at` integer NOT NULL,
	`entitled` integer NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`owed` integer NOT NULL,
	`owed_since` integer,
	`line_since` integer,
	`resting_since` integer,
	`withdrawn` integer DEFAULT false NOT NULL,
	`taken_out` text,
	`decided_at` integer,
	`mix_asked_at` integer,
	`created_at` integer NOT NULL,
	`active_at` integer DEFAULT 0 NOT NULL,
	`news_since` integer,
	`rated_from` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`own_recording_id`,`owner_id`) REFERENCES `recordings`(`id`,`owner_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "songs_kind" CHECK(("songs"."track_id" IS NULL) = ("songs"."own_recording_id" IS NOT NULL) AND ("songs"."track_id" IS NULL) = ("songs"."spotify_url" IS NULL) AND ("songs"."track_id" IS NOT NULL OR "songs"."isrc" IS NULL)),
	CONSTRAINT "songs_entitled" CHECK("songs"."entitled" >= 0 AND "songs"."entitled" % 5 = 0),
	CONSTRAINT "songs_made" CHECK("songs"."made" IN ('people', 'partly', 'generated')),
	CONSTRAINT "songs_tint" CHECK("songs"."tint" BETWEEN 0 AND 48),
	CONSTRAINT "songs_received" CHECK("songs"."received" >= 0),
	CONSTRAINT "songs_news" CHECK("songs"."news_since" IS NULL OR "songs"."news_since" % 60000 = 0 AND "songs"."received" > 0),
	CONSTRAINT "songs_owed" CHECK("songs"."owed" BETWEEN max(0, "songs"."entitled" - "songs"."received") AND "songs"."entitled"),
	CONSTRAINT "songs_due_while_owed" CHECK(("songs"."owed_since" IS NOT NULL) = ("songs"."owed" > 0)),
	CONSTRAINT "songs_taken_out" CHECK("songs"."taken_out" IS NULL OR "songs"."owed" = 0 OR "songs"."resting_since" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX `songs_by_reading` ON `songs` (`fetched_at`) WHERE track_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_without_tint` ON `songs` (`created_at`) WHERE tint IS NULL;--> statement-breakpoint
CREATE INDEX `songs_by_track` ON `songs` (`track_id`);--> statement-breakpoint
CREATE INDEX `songs_by_title` ON `songs` (title COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `songs_owner_recording` ON `songs` (`owner_id`,`recording`);--> statement-breakpoint
CREATE INDEX `songs_by_recording` ON `songs` (`recording`,`owed_since`);--> statement-breakpoint
CREATE INDEX `songs_by_activity` ON `songs` (`owner_id`,`active_at`,`id`);--> statement-breakpoint
CREATE INDEX `songs_mix_asked` ON `songs` (`mix_asked_at`) WHERE mix_asked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_with_news` ON `songs` (`owner_id`) WHERE news_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_in_line` ON `songs` (`line_since`,`id`) WHERE line_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_behind_line` ON `songs` (`owed_since`,`id`) WHERE owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL;--> statement-breakpoint
CREATE INDEX `songs_own_in_line` ON `songs` (`line_since`,`id`) WHERE line_since IS NOT NULL AND track_id IS NULL;--> statement-breakpoint
CREATE INDEX `songs_own_behind_line` ON `songs` (`owed_since`,`id`) WHERE owed_since IS NOT NULL AND line_since IS NULL AND resting_since IS NULL AND track_id IS NULL;--> statement-breakpoint
CREATE INDEX `songs_owed_by_owner` ON `songs` (`owner_id`,`owed_since`,`id`) WHERE owed_since IS NOT NULL AND resting_since IS NULL;--> statement-breakpoint
CREATE INDEX `songs_unplayable` ON `songs` (`resting_since`) WHERE resting_since IS NOT NULL AND withdrawn = 0 AND taken_out IS NULL AND (decided_at IS NULL OR decided_at < resting_since);--> statement-breakpoint
CREATE INDEX `songs_sounding_generated` ON `songs` (`sounds_generated_since`) WHERE sounds_generated_since IS NOT NULL;--> statement-breakpoint
CREATE INDEX `songs_out` ON `songs` (`decided_at`) WHERE taken_out IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `songs_owner_track` ON `songs` (`owner_id`,`track_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `songs_id_owner` ON `songs` (`id`,`owner_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `songs_own_recording` ON `songs` (`own_recording_id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `spotify_waits` (
	`client_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `submission_locks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`reason` text NOT NULL,
	`locked_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE INDEX `submission_locks_time` ON `submission_locks` (`locked_at`);--> statement-breakpoint
CREATE INDEX `submission_locks_user` ON `submission_locks` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`song_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`own_recording_id` text,
	`number` integer NOT NULL,
	`allotment` integer DEFAULT 5 NOT NULL,
	`spent` integer NOT NULL,
	`limited` integer NOT NULL,
	`sealed` integer DEFAULT false NOT NULL,
	`request_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`own_recording_id`,`owner_id`) REFERENCES `recordings`(`id`,`owner_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "submissions_allotment" CHECK("submissions"."allotment" = 5),
	CONSTRAINT "submissions_spent" CHECK("submissions"."spent" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `submissions_own_recording` ON `submissions` (`own_recording_id`) WHERE own_recording_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `submissions_free` ON `submissions` (`owner_id`,`created_at`) WHERE spent = 0;--> statement-breakpoint
CREATE INDEX `submissions_owner` ON `submissions` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `submissions_completed` ON `submissions` (`completed_at`) WHERE completed_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_number` ON `submissions` (`song_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_request` ON `submissions` (`owner_id`,`request_key`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`tier` text NOT NULL,
	`subscription_id` text,
	`customer_id` text,
	`checkout_id` text,
	`checkout_number` integer DEFAULT 0 NOT NULL,
	`return_to` text,
	`started_at` integer,
	`renews_at` integer,
	`price` text,
	`cancel_at` integer,
	`failed_at` integer,
	`retry_at` integer,
	`ended_at` integer,
	`matched_address` text,
	`updated_at` integer NOT NULL,
	`synced_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_matched` ON `subscriptions` (`matched_address`) WHERE matched_address IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscriptions_swept` ON `subscriptions` (`synced_at`) WHERE customer_id IS NOT NULL AND status NOT IN ('none', 'canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX `subscriptions_updated` ON `subscriptions` (`updated_at`);--> statement-breakpoint
CREATE TABLE `unplayable_reports` (
	`song_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`answered_at` integer,
	PRIMARY KEY(`song_id`, `user_id`),
	FOREIGN KEY (`song_id`) REFERENCES `songs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `unplayable_reports_user` ON `unplayable_reports` (`user_id`);--> statement-breakpoint
CREATE INDEX `unplayable_reports_time` ON `unplayable_reports` (`created_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`spotify_id` text,
	`display_name` text NOT NULL,
	`spotify_name` text,
	`own_name` integer DEFAULT false NOT NULL,
	`image_url` text,
	`email` text,
	`own_email` text,
	`own_mailbox` text GENERATED ALWAYS AS (iif(substr(lower(own_email), instr(lower(own_email), '@')) IN ('@gmail.com', '@googlemail.com'), replace(substr(lower(own_email), 1, iif(instr(lower(own_email), '+') > 1, instr(lower(own_email), '+'), instr(lower(own_email), '@')) - 1), '.', '') || '@gmail.com', substr(lower(own_email), 1, iif(instr(lower(own_email), '+') > 1, instr(lower(own_email), '+'), instr(lower(own_email), '@')) - 1) || substr(lower(own_email), instr(lower(own_email), '@')))) VIRTUAL,
	`address_fingerprint` text,
	`credits` integer DEFAULT 0 NOT NULL,
	`rated_count` integer DEFAULT 0 NOT NULL,
	`rated_withdrawn` integer DEFAULT 0 NOT NULL,
	`passed_count` integer DEFAULT 0 NOT NULL,
	`submitted_count` integer DEFAULT 0 NOT NULL,
	`own_artists` text DEFAULT '{}' NOT NULL,
	`visit` integer DEFAULT 1 NOT NULL,
	`slide` integer DEFAULT 1 NOT NULL,
	`last_active_at` integer DEFAULT 0 NOT NULL,
	`hears_spotify_until` integer,
	`ratings_seen_at` integer,
	`ratings_news_since` integer,
	`playlist_lease_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_visit" CHECK("users"."visit" BETWEEN 1 AND 3),
	CONSTRAINT "users_slide" CHECK("users"."slide" BETWEEN 1 AND 3),
	CONSTRAINT "users_credits" CHECK("users"."credits" >= 0 AND "users"."credits" <= "users"."rated_count"),
	CONSTRAINT "users_submitted_count" CHECK("users"."submitted_count" >= 0),
	CONSTRAINT "users_way_in" CHECK("users"."spotify_id" IS NOT NULL OR "users"."own_email" IS NOT NULL)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_spotify_id_unique` ON `users` (`spotify_id`);--> statement-breakpoint
CREATE INDEX `users_email` ON `users` (lower("email")) WHERE email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("display_name"));--> statement-breakpoint
CREATE INDEX `users_own_mailbox` ON `users` (`own_mailbox`) WHERE own_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_own_email` ON `users` (lower("own_email")) WHERE own_email IS NOT NULL;--> statement-breakpoint
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
END;--> statement-breakpoint
CREATE TRIGGER `passes_unrated` BEFORE INSERT ON `passes`
WHEN EXISTS (SELECT 1 FROM `ratings` WHERE `rater_id` = NEW.`user_id` AND `song_id` = NEW.`song_id`)
BEGIN
	SELECT RAISE(ABORT, 'the user has rated the song');
END;--> statement-breakpoint
CREATE TRIGGER `passes_within_a_day` BEFORE INSERT ON `passes`
WHEN NEW.`slot` IS NOT NULL AND (
	SELECT count(`slot`) FROM `passes` WHERE `user_id` = NEW.`user_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 6
BEGIN
	SELECT RAISE(ABORT, 'six passes within 24 hours');
END;--> statement-breakpoint
CREATE TRIGGER `ratings_after_listen` BEFORE INSERT ON `ratings`
WHEN NOT EXISTS (
	SELECT 1 FROM `listens`
	WHERE `id` = NEW.`listen_id` AND `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`
		AND `finished_at` IS NOT NULL
)
BEGIN
	SELECT RAISE(ABORT, 'a rating needs the finished listen of its rater and song');
END;--> statement-breakpoint
CREATE TRIGGER `reports_within_a_day` BEFORE INSERT ON `reports`
WHEN (
	SELECT count(*) FROM `reports` WHERE `reporter_id` = NEW.`reporter_id` AND `created_at` > NEW.`created_at` - 86400000
) >= 3
BEGIN
	SELECT RAISE(ABORT, 'three reports within 24 hours');
END;--> statement-breakpoint
CREATE TRIGGER `notices_within_a_day` BEFORE INSERT ON `notices`
WHEN (
	SELECT count(*) FROM `notices` WHERE `mailbox` = NEW.`mailbox` AND `created_at` > NEW.`created_at` - 86400000
) >= 3
BEGIN
	SELECT RAISE(ABORT, 'three notices within 24 hours');
END;--> statement-breakpoint
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
END;--> statement-breakpoint
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
END;--> statement-breakpoint
CREATE TRIGGER `songs_keep_promises` AFTER UPDATE OF `owed` ON `songs`
WHEN NEW.`owed` < OLD.`owed` AND (NEW.`entitled` - NEW.`owed`) % 5 = 0
BEGIN
	UPDATE `submissions` SET `completed_at` = (SELECT max(`created_at`) FROM `ratings` WHERE `song_id` = NEW.`id`)
	WHERE `song_id` = NEW.`id` AND `number` = (NEW.`entitled` - NEW.`owed`) / 5 AND `completed_at` IS NULL;
	UPDATE `ratings` SET `sealed` = 0 WHERE `song_id` = NEW.`id` AND `sealed` = 1 AND `round_id` IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `songs_forget_tint` AFTER UPDATE OF `art_url`, `own_recording_id` ON `songs`
WHEN NEW.`tint` IS OLD.`tint`
	AND (NEW.`art_url` IS NOT OLD.`art_url` OR NEW.`own_recording_id` IS NOT OLD.`own_recording_id`)
BEGIN
	UPDATE `songs` SET `tint` = NULL WHERE `id` = NEW.`id` AND `tint` IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `submissions_unlocked` BEFORE INSERT ON `submissions`
WHEN EXISTS (SELECT 1 FROM `submission_locks` WHERE `user_id` = NEW.`owner_id`)
BEGIN
	SELECT RAISE(ABORT, 'the owner may not submit songs');
END;--> statement-breakpoint
CREATE TRIGGER `users_change_address` AFTER UPDATE OF `email`, `own_email` ON `users`
WHEN NEW.`address_fingerprint` IS NOT NULL
	AND coalesce(NEW.`own_email`, NEW.`email`) IS NOT coalesce(OLD.`own_email`, OLD.`email`)
BEGIN
	UPDATE `users` SET `address_fingerprint` = NULL WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
-- Who gives an address up, or confirms another's, ends what went by it. The customer stays on record, to be read again.
CREATE TRIGGER `subscriptions_follow_address` AFTER UPDATE OF `own_email` ON `users`
WHEN lower(NEW.`own_email`) IS NOT lower(OLD.`own_email`)
BEGIN
	UPDATE `subscriptions`
	SET `status` = 'none', `tier` = 'free', `subscription_id` = NULL, `started_at` = NULL,
		`cancel_at` = NULL, `renews_at` = NULL, `price` = NULL, `failed_at` = NULL, `retry_at` = NULL,
		`ended_at` = NULL, `updated_at` = CAST(unixepoch('subsec') * 1000 AS INTEGER)
	WHERE `matched_address` IN (lower(OLD.`own_email`), lower(NEW.`own_email`));
END;--> statement-breakpoint
-- All songs of a track have one code, and with it one recording. Of a track that is here already, the code
-- that is stored stands; only the app's own look at Spotify changes it, and then for all of them.
CREATE TRIGGER `songs_know_recording` AFTER INSERT ON `songs`
BEGIN
	UPDATE `songs` SET `isrc` = coalesce((
			SELECT `isrc` FROM `songs` AS `same`
			WHERE `same`.`track_id` = NEW.`track_id` AND `same`.`isrc` IS NOT NULL AND `same`.`id` <> NEW.`id` LIMIT 1
		), NEW.`isrc`)
	WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
-- An own recording is known by its file: the same bytes are one recording, and a new mix is another.
CREATE TRIGGER `songs_share_recording` AFTER UPDATE OF `isrc`, `track_id`, `own_recording_id` ON `songs`
BEGIN
	UPDATE `songs` SET `recording` = (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
	WHERE `id` = NEW.`id` AND `track_id` IS NULL
		AND `recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`);
	UPDATE `songs` SET `isrc` = coalesce(NEW.`isrc`, `isrc`),
		`recording` = coalesce(NEW.`isrc`, `isrc`, `track_id`)
	WHERE `track_id` = NEW.`track_id` AND `recording` IS NOT coalesce(NEW.`isrc`, `isrc`, `track_id`);
END;--> statement-breakpoint
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
END;--> statement-breakpoint
-- A copy that is restored before its song stays as it is, here and below.
CREATE TRIGGER `ratings_recording` AFTER INSERT ON `ratings`
WHEN NEW.`recording` IS NOT (SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`)
BEGIN
	UPDATE `ratings` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `passes_recording` AFTER INSERT ON `passes`
BEGIN
	UPDATE `passes` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `rating_marks_recording` AFTER INSERT ON `rating_marks`
BEGIN
	UPDATE `rating_marks` SET `recording` = coalesce((SELECT `recording` FROM `songs` WHERE `id` = NEW.`song_id`), NEW.`recording`)
	WHERE `departure_id` = NEW.`departure_id` AND `song_id` = NEW.`song_id`;
END;--> statement-breakpoint
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
END;--> statement-breakpoint
-- Who has heard an earlier mix, and not rated it, has not heard this one.
CREATE TRIGGER `songs_unhear_mix` AFTER UPDATE OF `own_recording_id` ON `songs`
WHEN OLD.`track_id` IS NULL
	AND OLD.`recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
BEGIN
	DELETE FROM `listens` WHERE `song_id` = NEW.`id` AND NOT EXISTS (
		SELECT 1 FROM `ratings` WHERE `rater_id` = `listens`.`user_id` AND `song_id` = NEW.`id`
	);
END;--> statement-breakpoint
-- The ratings that a song is still owed are for the mix that was submitted.
CREATE TRIGGER `songs_keep_mix` BEFORE UPDATE OF `own_recording_id` ON `songs`
WHEN OLD.`owed` > 0 AND OLD.`recording` IS NOT (SELECT `hash` FROM `recordings` WHERE `id` = NEW.`own_recording_id`)
	AND OLD.`track_id` IS NULL
BEGIN
	SELECT RAISE(ABORT, 'the song is still owed ratings of this mix');
END;--> statement-breakpoint
-- Whatever deletes a recording, its account included, or ends its file, leaves the files to the job.
CREATE TRIGGER `recordings_leave_files` AFTER DELETE ON `recordings`
BEGIN
	INSERT OR IGNORE INTO `file_deletions` (`key`, `created_at`)
	VALUES (OLD.`id` || '/audio', CAST(unixepoch('subsec') * 1000 AS INTEGER)),
		(OLD.`id` || '/cover', CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;--> statement-breakpoint
CREATE TRIGGER `users_own_address` BEFORE UPDATE OF `own_email`, `spotify_id` ON `users`
WHEN NEW.`own_email` IS NOT NULL AND EXISTS (
	SELECT 1 FROM `users` AS `other`
	WHERE `other`.`own_email` IS NOT NULL AND `other`.`own_mailbox` = NEW.`own_mailbox`
		AND `other`.`id` <> NEW.`id` AND (`other`.`spotify_id` IS NULL OR NEW.`spotify_id` IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'the address is the only way into an account, and another has it');
END;--> statement-breakpoint
CREATE TRIGGER `users_own_address_new` BEFORE INSERT ON `users`
WHEN NEW.`own_email` IS NOT NULL AND EXISTS (
	SELECT 1 FROM `users` AS `other`
	WHERE `other`.`own_email` IS NOT NULL AND `other`.`own_mailbox` = NEW.`own_mailbox`
		AND `other`.`id` <> NEW.`id` AND (`other`.`spotify_id` IS NULL OR NEW.`spotify_id` IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'the address is the only way into an account, and another has it');
END;--> statement-breakpoint
CREATE TRIGGER `login_grants_of_open_codes` BEFORE INSERT ON `login_grants`
WHEN NOT EXISTS (
	SELECT 1 FROM `mailed_proofs`
	WHERE `id` = NEW.`code_id` AND `kind` <> 'confirmation' AND NEW.`verified_at` >= `created_at` AND NEW.`verified_at` < `expires_at`
)
BEGIN
	SELECT RAISE(ABORT, 'the code is over');
END;--> statement-breakpoint
-- Wrong tries by whom their mailbox does not know, of all codes of a day (UTC).
CREATE TRIGGER `mailed_proofs_count_tries` AFTER UPDATE OF `wrong_tries` ON `mailed_proofs`
WHEN NEW.`wrong_tries` > OLD.`wrong_tries` AND NEW.`kind` = 'login'
BEGIN
	INSERT INTO `daily_counts` (`day`, `name`, `count`)
	VALUES (strftime('%Y-%m-%d', NEW.`created_at` / 1000, 'unixepoch'), 'login_code_wrong', NEW.`wrong_tries` - OLD.`wrong_tries`)
	ON CONFLICT (`day`, `name`) DO UPDATE SET `count` = `count` + excluded.`count`;
END;--> statement-breakpoint
-- Confirmations that are mailed, of a day (UTC). A code that was typed has confirmed its address without one.
CREATE TRIGGER `mailed_proofs_count` AFTER INSERT ON `mailed_proofs`
WHEN NEW.`kind` = 'confirmation' AND NEW.`used_at` IS NULL
BEGIN
	INSERT INTO `daily_counts` (`day`, `name`, `count`)
	VALUES (strftime('%Y-%m-%d', NEW.`created_at` / 1000, 'unixepoch'), 'confirmation_mailed', 1)
	ON CONFLICT (`day`, `name`) DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
-- What counts a user's confirmations stays for its day.
CREATE TRIGGER `users_leave_mailed_proofs` AFTER DELETE ON `users`
BEGIN
	UPDATE `mailed_proofs` SET `asked_by` = '', `address` = '', `used_at` = NULL
	WHERE `asked_by` = OLD.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `recordings_end_files` AFTER UPDATE OF `file_ended_at` ON `recordings`
WHEN OLD.`file_ended_at` IS NULL AND NEW.`file_ended_at` IS NOT NULL
BEGIN
	INSERT OR IGNORE INTO `file_deletions` (`key`, `created_at`)
	VALUES (OLD.`id` || '/audio', CAST(unixepoch('subsec') * 1000 AS INTEGER)),
		(OLD.`id` || '/cover', CAST(unixepoch('subsec') * 1000 AS INTEGER));
	UPDATE `songs` SET `tint` = NULL WHERE `own_recording_id` = NEW.`id` AND NEW.`cover_type` IS NOT NULL;
END;--> statement-breakpoint
-- A recording goes with the last submission of it, and so with its song.
CREATE TRIGGER `submissions_leave_recordings` AFTER DELETE ON `submissions`
WHEN OLD.`own_recording_id` IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM `submissions` WHERE `own_recording_id` = OLD.`own_recording_id`)
BEGIN
	DELETE FROM `recordings` WHERE `id` = OLD.`own_recording_id`;
END;--> statement-breakpoint
CREATE TRIGGER `release_wishes_of_raters` BEFORE INSERT ON `release_wishes`
WHEN NOT EXISTS (
	SELECT 1 FROM `ratings` JOIN `songs` ON `songs`.`id` = `ratings`.`song_id`
	WHERE `rater_id` = NEW.`user_id` AND `song_id` = NEW.`song_id` AND `score` = 4 AND `track_id` IS NULL
)
BEGIN
	SELECT RAISE(ABORT, 'only an own recording rated "Added to my playlist!" is wished for');
END;--> statement-breakpoint
CREATE TRIGGER `ratings_end_wishes` AFTER UPDATE OF `score` ON `ratings`
WHEN NEW.`score` <> 4
BEGIN
	DELETE FROM `release_wishes` WHERE `user_id` = NEW.`rater_id` AND `song_id` = NEW.`song_id`;
END;--> statement-breakpoint
-- The last seat goes to one of two, and nobody comes or changes once the round has begun.
CREATE TRIGGER `round_members_join` BEFORE INSERT ON `round_members`
WHEN NEW.`song_id` IS NOT NULL AND (
	SELECT `begun_at` IS NOT NULL OR `ended_at` IS NOT NULL OR `seats` <= (
		SELECT count(`song_id`) FROM `round_members` WHERE `round_id` = NEW.`round_id`
	) FROM `rounds` WHERE `id` = NEW.`round_id`
)
BEGIN
	SELECT RAISE(ABORT, 'the round takes no more songs');
END;--> statement-breakpoint
CREATE TRIGGER `round_members_change` BEFORE UPDATE OF `song_id` ON `round_members`
WHEN NEW.`song_id` IS NOT OLD.`song_id` AND (
	SELECT `begun_at` IS NOT NULL OR `ended_at` IS NOT NULL OR `seats` <= (
		SELECT count(`song_id`) FROM `round_members` WHERE `round_id` = NEW.`round_id` AND `user_id` <> NEW.`user_id`
	) FROM `rounds` WHERE `id` = NEW.`round_id`
)
BEGIN
	SELECT RAISE(ABORT, 'the round takes no more songs');
END;--> statement-breakpoint
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
END;--> statement-breakpoint
CREATE TRIGGER `round_members_stay_alone` BEFORE UPDATE OF `song_id` ON `round_members`
WHEN EXISTS (SELECT 1 FROM `songs` WHERE `id` = NEW.`song_id` AND `owed` > 0)
	OR EXISTS (
		SELECT 1 FROM `round_members` AS `other` JOIN `rounds` ON `rounds`.`id` = `other`.`round_id`
		WHERE `other`.`song_id` = NEW.`song_id` AND `other`.`round_id` <> NEW.`round_id`
			AND `ended_at` IS NULL AND `rounds`.`opened_at` IS NULL
	)
BEGIN
	SELECT RAISE(ABORT, 'the song waits for ratings, or is in a round');
END;--> statement-breakpoint
CREATE TRIGGER `songs_leave_rounds` BEFORE UPDATE OF `owed` ON `songs`
WHEN NEW.`owed` > OLD.`owed` AND EXISTS (
	SELECT 1 FROM `round_members` JOIN `rounds` ON `rounds`.`id` = `round_id`
	WHERE `song_id` = NEW.`id` AND `ended_at` IS NULL AND `rounds`.`opened_at` IS NULL
)
BEGIN
	SELECT RAISE(ABORT, 'the song is in a round');
END;--> statement-breakpoint
CREATE TRIGGER `ratings_of_rounds` BEFORE INSERT ON `ratings`
WHEN NEW.`round_id` IS NOT NULL AND (NEW.`sealed` = 0 OR NEW.`owes_mail` = 1 OR NOT EXISTS (
	SELECT 1 FROM `rounds`
	JOIN `round_members` AS `its` ON `its`.`round_id` = `rounds`.`id` AND `its`.`song_id` = NEW.`song_id`
	JOIN `round_members` AS `mine` ON `mine`.`round_id` = `rounds`.`id` AND `mine`.`user_id` = NEW.`rater_id`
	WHERE `rounds`.`id` = NEW.`round_id` AND `begun_at` IS NOT NULL AND `mine`.`song_id` IS NOT NULL
))
BEGIN
	SELECT RAISE(ABORT, 'a song of a round is rated by its members, and sealed');
END;--> statement-breakpoint
CREATE TRIGGER `ratings_stay_sealed` BEFORE UPDATE OF `sealed` ON `ratings`
WHEN OLD.`round_id` IS NOT NULL AND NEW.`sealed` = 0
	AND (SELECT `opened_at` IS NULL FROM `rounds` WHERE `id` = OLD.`round_id`)
BEGIN
	SELECT RAISE(ABORT, 'the round is not open yet');
END;
