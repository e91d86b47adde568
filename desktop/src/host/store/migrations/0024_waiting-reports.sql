CREATE TABLE `waiting_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`report` text NOT NULL
);
