CREATE TABLE `known_assignments` (
	`user_id` text PRIMARY KEY NOT NULL,
	`assignments` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `video_positions` (
	`user_id` text NOT NULL,
	`video_id` text NOT NULL,
	`position_s` real NOT NULL,
	PRIMARY KEY(`user_id`, `video_id`)
);
