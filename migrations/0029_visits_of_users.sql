ALTER TABLE `users` ADD `visit` integer DEFAULT 1 NOT NULL CONSTRAINT "users_visit" CHECK("visit" BETWEEN 1 AND 3);--> statement-breakpoint
ALTER TABLE `users` ADD `slide` integer DEFAULT 1 NOT NULL CONSTRAINT "users_slide" CHECK("slide" BETWEEN 1 AND 3);--> statement-breakpoint
ALTER TABLE `users` ADD `last_active_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Of several logins, the one that was active last says where its user stands.
UPDATE `users` SET (`visit`, `slide`, `last_active_at`) = (
	SELECT `visit`, `slide`, `last_seen_at` FROM `sessions` WHERE `user_id` = `users`.`id`
	ORDER BY `last_seen_at` DESC, `id` LIMIT 1
) WHERE `id` IN (SELECT `user_id` FROM `sessions`);--> statement-breakpoint
DROP INDEX `submissions_session`;--> statement-breakpoint
ALTER TABLE `submissions` DROP COLUMN `session_id`;--> statement-breakpoint
-- Two of its columns are in constraints, so that they cannot be dropped alone. No table refers to this
-- one any more: dropping it deletes no other rows.
CREATE TABLE `__new_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`access_token` text NOT NULL,
	`refresh_token` text NOT NULL,
	`token_expires_at` integer NOT NULL,
	`refresh_lease_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`device` text,
	`has_spotify_premium` integer,
	`may_add_to_playlists` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_sessions`("id", "user_id", "client_id", "access_token", "refresh_token", "token_expires_at", "refresh_lease_until", "created_at", "last_seen_at", "expires_at", "device", "has_spotify_premium", "may_add_to_playlists") SELECT "id", "user_id", "client_id", "access_token", "refresh_token", "token_expires_at", "refresh_lease_until", "created_at", "last_seen_at", "expires_at", "device", "has_spotify_premium", "may_add_to_playlists" FROM `sessions`;--> statement-breakpoint
DROP TABLE `sessions`;--> statement-breakpoint
ALTER TABLE `__new_sessions` RENAME TO `sessions`;--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);
