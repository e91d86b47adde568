CREATE TABLE `missing_turns` (
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`announced` integer NOT NULL,
	PRIMARY KEY(`user_id`, `session_id`)
);
--> statement-breakpoint
ALTER TABLE `sync_state` ADD `pulls_turns_later` integer DEFAULT false NOT NULL;