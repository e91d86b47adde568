CREATE TABLE `session_hints` (
	`session_id` text PRIMARY KEY NOT NULL,
	`turn_count` integer NOT NULL,
	`level` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `recordings` ADD `is_interrupted` integer DEFAULT false NOT NULL;