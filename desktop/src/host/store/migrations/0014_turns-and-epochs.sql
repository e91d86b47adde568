CREATE TABLE `unread_rows` (
	`user_id` text NOT NULL,
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`version` integer NOT NULL,
	`fields` text NOT NULL,
	PRIMARY KEY(`table_name`, `row_id`)
);
--> statement-breakpoint
DROP INDEX `enrollments_user_id_course_id_unique`;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_user_id_course_id_unique` ON `enrollments` (`user_id`,`course_id`) WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE `ai_agent_profiles` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `session_id` text REFERENCES practice_history(id);--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `previous_turn_id` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `said_at` integer;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `node` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `kind` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `mode` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `fitted` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `recording_id` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `hint_level` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `assessment` text;--> statement-breakpoint
ALTER TABLE `ai_conversations` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `ai_conversations_session_id_index` ON `ai_conversations` (`session_id`);--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `coach_assignment_history` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `course_section_practices` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `course_section_videos` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `course_sections` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `courses` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `feedback_details` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `industry` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `objectives` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `practice_history` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `practice_objectives` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `practices` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `prices` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `pronunciation_improvement_summary` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `user_course_interaction` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `videos` ADD `field_clocks` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `base` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outbox` ADD `clocks` text;--> statement-breakpoint
ALTER TABLE `rejected_changes` ADD `change` text;--> statement-breakpoint
ALTER TABLE `resync_seen` ADD `is_newer_here` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `epoch` text;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `own_schema` text;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `server_schema` text;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `attempt_key` text;