-- Several people may use one computer, one after the other, so each row that exists only on this device names its owner.
ALTER TABLE `recordings` ADD `user_id` text;
--> statement-breakpoint
UPDATE `recordings` SET `user_id` = coalesce(
  (SELECT `user_id` FROM `practice_history` WHERE `id` = `recordings`.`session_id`),
  (SELECT `user_id` FROM `ai_conversations` WHERE `conversation_id` = `recordings`.`turn_id`),
  -- A drill has no session that names its learner, so it belongs to the learner who is signed in.
  (SELECT `user_id` FROM `sync_state` WHERE EXISTS (
    SELECT 1 FROM `drill_attempts` WHERE `drill_attempts`.`recording_id` = `recordings`.`recording_id`
  ))
);
--> statement-breakpoint
-- The other recordings belong to learners who are signed out. Each gets its owner when its session is inserted again.
CREATE TRIGGER `practice_history_heard` AFTER INSERT ON `practice_history` BEGIN
  UPDATE `recordings` SET `user_id` = new.`user_id` WHERE `session_id` = new.`id` AND `user_id` IS NULL;
END;
--> statement-breakpoint
CREATE TABLE `__new_drill_attempts` (
	`recording_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`text` text NOT NULL,
	`other` text,
	`heard` text,
	`assessment` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_drill_attempts` (`recording_id`, `user_id`, `turn_id`, `text`, `other`, `heard`, `assessment`, `created_at`)
SELECT `recording_id`, (SELECT `user_id` FROM `sync_state`), `turn_id`, `text`, `other`, `heard`, `assessment`, `created_at`
FROM `drill_attempts`;
--> statement-breakpoint
DROP TABLE `drill_attempts`;
--> statement-breakpoint
ALTER TABLE `__new_drill_attempts` RENAME TO `drill_attempts`;
--> statement-breakpoint
CREATE INDEX `drill_attempts_text_index` ON `drill_attempts` (`user_id`,`text`,`created_at`);
--> statement-breakpoint
CREATE INDEX `drill_attempts_turn_index` ON `drill_attempts` (`turn_id`);
--> statement-breakpoint
CREATE TABLE `__new_rejected_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`code` text NOT NULL,
	`field` text,
	`fields` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_rejected_changes` (`id`, `user_id`, `table_name`, `row_id`, `code`, `field`, `fields`, `at`)
SELECT `id`, (SELECT `user_id` FROM `sync_state`), `table_name`, `row_id`, `code`, `field`, `fields`, `at`
FROM `rejected_changes`;
--> statement-breakpoint
DROP TABLE `rejected_changes`;
--> statement-breakpoint
ALTER TABLE `__new_rejected_changes` RENAME TO `rejected_changes`;
