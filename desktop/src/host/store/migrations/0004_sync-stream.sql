CREATE TABLE `resync_seen` (
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`version` integer NOT NULL,
	PRIMARY KEY(`table_name`, `row_id`)
);
--> statement-breakpoint
ALTER TABLE `sync_state` ADD `older_cursor` integer;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `resync` text;