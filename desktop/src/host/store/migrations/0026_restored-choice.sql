ALTER TABLE `recording_keeping` ADD `chosen_at` integer;--> statement-breakpoint
ALTER TABLE `recording_keeping` ADD `copies_deleted_at` integer;