ALTER TABLE `submissions` ADD `rested_since` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `was_withdrawn` integer DEFAULT false NOT NULL;
