CREATE TABLE `drill_attempts` (
	`recording_id` text PRIMARY KEY NOT NULL,
	`turn_id` text NOT NULL,
	`text` text NOT NULL,
	`other` text,
	`heard` text,
	`assessment` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `drill_attempts_text_index` ON `drill_attempts` (`text`,`created_at`);--> statement-breakpoint
CREATE INDEX `drill_attempts_turn_index` ON `drill_attempts` (`turn_id`);