ALTER TABLE `users` ADD `address_fingerprint` text;--> statement-breakpoint
-- Another address has another fingerprint.
CREATE TRIGGER `users_change_address` AFTER UPDATE OF `email`, `own_email` ON `users`
WHEN NEW.`address_fingerprint` IS NOT NULL
	AND coalesce(NEW.`own_email`, NEW.`email`) IS NOT coalesce(OLD.`own_email`, OLD.`email`)
BEGIN
	UPDATE `users` SET `address_fingerprint` = NULL WHERE `id` = NEW.`id`;
END;
