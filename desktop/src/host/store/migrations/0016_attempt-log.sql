CREATE TABLE `word_attempts` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`day` text NOT NULL,
	`word` text NOT NULL,
	`ipa` text NOT NULL,
	`accuracy` real,
	`source` text,
	`session_id` text,
	`turn_id` text,
	`recording_id` text,
	`start_ms` integer,
	`end_ms` integer,
	`sentence` text,
	`grade` text,
	`attempts` integer,
	`counted_by` text,
	`phonemes` text NOT NULL,
	`field_clocks` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `word_attempts_user_id_word_index` ON `word_attempts` (`user_id`,`word`);--> statement-breakpoint
CREATE INDEX `word_attempts_user_id_day_index` ON `word_attempts` (`user_id`,`day`);--> statement-breakpoint
CREATE INDEX `word_attempts_recording_id_index` ON `word_attempts` (`recording_id`);--> statement-breakpoint
CREATE INDEX `word_attempts_session_id_index` ON `word_attempts` (`session_id`);--> statement-breakpoint
CREATE TABLE `day_totals` (
	`user_id` text NOT NULL,
	`day` text NOT NULL,
	`totals` text NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `word_cards` (
	`user_id` text NOT NULL,
	`word` text NOT NULL,
	`status` text NOT NULL,
	`due` integer,
	`last_wrong_at` integer,
	`mastered_day` text,
	`card` text NOT NULL,
	PRIMARY KEY(`user_id`, `word`)
);
--> statement-breakpoint
CREATE INDEX `word_cards_due_index` ON `word_cards` (`user_id`,`status`,`due`);--> statement-breakpoint
ALTER TABLE `drill_attempts` ADD `source` text;