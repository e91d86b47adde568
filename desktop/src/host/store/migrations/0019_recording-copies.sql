CREATE TABLE `recording_copies` (
	`user_id` text NOT NULL,
	`recording_id` text NOT NULL,
	`session_id` text NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`is_on_server` integer NOT NULL,
	`played_at` integer,
	PRIMARY KEY(`user_id`, `recording_id`)
);
--> statement-breakpoint
CREATE INDEX `recording_copies_played_index` ON `recording_copies` (`played_at`);--> statement-breakpoint
CREATE TABLE `recording_keeping` (
	`user_id` text PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`untold` text,
	`generation` text,
	`listed_until` integer NOT NULL,
	`used_bytes` integer NOT NULL,
	`quota_bytes` integer NOT NULL,
	`failure` text
);
--> statement-breakpoint
CREATE TABLE `recording_uploads` (
	`recording_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`sha256` text NOT NULL,
	`bytes` integer NOT NULL,
	`state` text NOT NULL,
	`refusals` integer DEFAULT 0 NOT NULL
);
