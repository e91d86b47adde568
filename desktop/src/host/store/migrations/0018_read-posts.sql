CREATE TABLE `read_posts` (
	`post_id` text PRIMARY KEY NOT NULL,
	`read_at` integer NOT NULL
);
