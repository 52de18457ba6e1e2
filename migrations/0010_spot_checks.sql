ALTER TABLE `listens` ADD `observed_at` integer;--> statement-breakpoint
ALTER TABLE `listens` ADD `heard_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `listens` ADD `position_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `listens` ADD `recheck_at` integer;--> statement-breakpoint
-- What the last spot check left to be heard has to be heard, whoever writes that it was.
CREATE TRIGGER `listens_heard` BEFORE UPDATE OF `finished_at` ON `listens`
WHEN OLD.`finished_at` IS NULL AND NEW.`finished_at` IS NOT NULL AND (
	NEW.`recheck_at` IS NOT NULL
	OR NEW.`finished_at` < coalesce(NEW.`observed_at`, NEW.`started_at`)
		+ (NEW.`required_seconds` + 1) * 1000 - NEW.`heard_ms`
)
BEGIN
	SELECT RAISE(ABORT, 'a listen lasts until what its spot check left has been heard');
END;
