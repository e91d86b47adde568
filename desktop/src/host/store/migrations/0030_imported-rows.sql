CREATE TABLE `imported_rows` (
	`row_id` text NOT NULL,
	`from_user_id` text NOT NULL,
	`original_id` text NOT NULL,
	PRIMARY KEY(`row_id`, `from_user_id`)
);
