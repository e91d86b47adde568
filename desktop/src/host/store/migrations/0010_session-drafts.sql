CREATE TABLE `session_drafts` (
	`session_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
