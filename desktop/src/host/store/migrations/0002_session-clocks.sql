CREATE TABLE `session_clocks` (
	`session_id` text PRIMARY KEY NOT NULL,
	`counted_until` integer NOT NULL
);
