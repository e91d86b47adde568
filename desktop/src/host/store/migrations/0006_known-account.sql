CREATE TABLE `known_account` (
	`user_id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`at` integer NOT NULL
);
