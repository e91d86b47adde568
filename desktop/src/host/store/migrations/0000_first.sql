CREATE TABLE `ai_agent_profiles` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`agent_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`communication_style` text NOT NULL,
	`avatar_url` text NOT NULL,
	`skills` text NOT NULL,
	`character_traits` text NOT NULL,
	`manner` text NOT NULL,
	`voice` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ai_conversations` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`conversation_id` text PRIMARY KEY NOT NULL,
	`interaction_id` text NOT NULL,
	`user_id` text NOT NULL,
	`course_id` text,
	`content` text NOT NULL,
	`role` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`interaction_id`) REFERENCES `user_course_interaction`(`interaction_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `ai_conversations_interaction_id_index` ON `ai_conversations` (`interaction_id`);--> statement-breakpoint
CREATE TABLE `blog_posts` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`content` text NOT NULL,
	`excerpt` text NOT NULL,
	`cover_image` text,
	`published_at` integer
);
--> statement-breakpoint
CREATE TABLE `coach_assignment_history` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`assignment_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`assignment_start_date` integer NOT NULL,
	`assignment_end_date` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `course_section_practices` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`course_section_practice_id` text PRIMARY KEY NOT NULL,
	`course_section_id` text NOT NULL,
	`practice_id` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_section_practices_course_section_id_position_index` ON `course_section_practices` (`course_section_id`,`position`);--> statement-breakpoint
CREATE TABLE `course_section_videos` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`course_section_video_id` text PRIMARY KEY NOT NULL,
	`course_section_id` text NOT NULL,
	`video_id` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_section_videos_course_section_id_position_index` ON `course_section_videos` (`course_section_id`,`position`);--> statement-breakpoint
CREATE TABLE `course_sections` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`course_section_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`descriptions` text NOT NULL,
	`order` integer NOT NULL,
	`course_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `course_sections_course_id_order_index` ON `course_sections` (`course_id`,`order`);--> statement-breakpoint
CREATE TABLE `courses` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`course_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enrollments` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`enrollment_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`course_id` text NOT NULL,
	`enrollment_date` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_user_id_course_id_unique` ON `enrollments` (`user_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `feedback_details` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`feedback_id` text PRIMARY KEY NOT NULL,
	`interaction_id` text NOT NULL,
	`score` real,
	`user_id` text NOT NULL,
	`performance_categories` text NOT NULL,
	`suggestions` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`interaction_id`) REFERENCES `user_course_interaction`(`interaction_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `feedback_details_interaction_id_index` ON `feedback_details` (`interaction_id`);--> statement-breakpoint
CREATE TABLE `industry` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`updated` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `objectives` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`objective_id` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `practice_history` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`practice_id` text NOT NULL,
	`user_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`score` real,
	`accuracy_score` real,
	`fluency_score` real,
	`prosody_score` real,
	`completeness_score` real,
	`pron_score` real,
	`words_score` real,
	`duration` integer NOT NULL,
	`communication_style` text NOT NULL,
	`status` text NOT NULL,
	`summary` text,
	`difficulty` text NOT NULL,
	`paused_at` integer,
	`feedback` text,
	`entire_conversation` text NOT NULL,
	`completed_objectives` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `practice_history_user_id_created_at_status_deleted_at_duration_practice_id_score_index` ON `practice_history` (`user_id`,`created_at`,`status`,`deleted_at`,`duration`,`practice_id`,`score`);--> statement-breakpoint
CREATE INDEX `practice_history_practice_id_status_deleted_at_user_id_score_index` ON `practice_history` (`practice_id`,`status`,`deleted_at`,`user_id`,`score`);--> statement-breakpoint
CREATE TABLE `practice_objectives` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`practice_objective_id` text PRIMARY KEY NOT NULL,
	`practice_id` text NOT NULL,
	`objective_id` text NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `practice_objectives_practice_id_position_index` ON `practice_objectives` (`practice_id`,`position`);--> statement-breakpoint
CREATE TABLE `practices` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`practice_id` text PRIMARY KEY NOT NULL,
	`availability` text NOT NULL,
	`description` text NOT NULL,
	`scenario` text NOT NULL,
	`duration` integer NOT NULL,
	`title` text NOT NULL,
	`cover_image_url` text NOT NULL,
	`agent_name` text NOT NULL,
	`description_summary` text NOT NULL,
	`category` text NOT NULL,
	`agent_image` text NOT NULL,
	`level` text NOT NULL,
	`agent_id` text NOT NULL,
	`learner_role` text NOT NULL,
	`useful_words` text NOT NULL,
	`dialogue` text
);
--> statement-breakpoint
CREATE TABLE `prices` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`price_id` text NOT NULL,
	`product_id` text NOT NULL,
	`description` text,
	`unit_amount` integer NOT NULL,
	`currency` text NOT NULL,
	`pricing_type` text NOT NULL,
	`pricing_plan_interval` text,
	`interval_count` integer,
	`type` text NOT NULL,
	`is_test` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `products` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`active` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`is_test` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pronunciation_improvement_summary` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`words` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pronunciation_improvement_summary_user_id_unique` ON `pronunciation_improvement_summary` (`user_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`subscription_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`plan_type` text NOT NULL,
	`quota` integer NOT NULL,
	`remaining_time` integer NOT NULL,
	`cancel_at` integer,
	`cancel_at_period_end` integer NOT NULL,
	`canceled_at` integer,
	`current_period_start` integer,
	`current_period_end` integer,
	`ended_at` integer,
	`price_id` text,
	`quantity` integer,
	`status` text,
	`provider_subscription_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_user_id_unique` ON `subscriptions` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_provider_subscription_id_unique` ON `subscriptions` (`provider_subscription_id`);--> statement-breakpoint
CREATE TABLE `user_course_interaction` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`interaction_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`course_id` text,
	`interaction_type` text NOT NULL,
	`timestamp` integer NOT NULL,
	`details` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`user_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`user_id` text PRIMARY KEY NOT NULL,
	`first_name` text,
	`last_name` text,
	`job_title` text,
	`industry` text,
	`agent_id` text,
	`avatar_url` text,
	`email` text,
	`has_access` integer NOT NULL,
	`access_date` integer,
	`summary` text,
	`english_level` text,
	`subscription_id` text,
	`last_login_at` integer,
	`email_notifications` integer NOT NULL,
	`is_admin` integer NOT NULL,
	`practice_difficulty` text,
	`practice_style` text,
	`has_seen_onboarding` integer NOT NULL,
	`not_yet_practiced_email_sent` integer NOT NULL,
	`plan_upgrade_reminder_email_sent` integer NOT NULL,
	`access_link_not_received_email_sent` integer NOT NULL,
	`not_logged_in_after_access_email_sent` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `videos` (
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sync_version` integer NOT NULL,
	`deleted_at` integer,
	`video_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`file_url` text NOT NULL,
	`transcript` text NOT NULL,
	`availability` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`mutation_id` text NOT NULL,
	`device_seq` integer,
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`op` text NOT NULL,
	`fields` text NOT NULL,
	`creates` integer NOT NULL,
	`at` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_mutation_id_unique` ON `outbox` (`mutation_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_device_seq_unique` ON `outbox` (`device_seq`);--> statement-breakpoint
CREATE INDEX `outbox_row_index` ON `outbox` (`table_name`,`row_id`);--> statement-breakpoint
CREATE TABLE `recordings` (
	`recording_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`file_name` text NOT NULL,
	`state` text NOT NULL,
	`sample_count` integer NOT NULL,
	`next_seq` integer NOT NULL,
	`outcome` text,
	`text` text,
	`unusable_reason` text,
	`hint` text,
	`hint_level` integer NOT NULL,
	`created_at` integer NOT NULL,
	`assessment` text
);
--> statement-breakpoint
CREATE INDEX `recordings_session_index` ON `recordings` (`session_id`,`state`);--> statement-breakpoint
CREATE INDEX `recordings_turn_index` ON `recordings` (`turn_id`);--> statement-breakpoint
CREATE TABLE `rejected_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`table_name` text NOT NULL,
	`row_id` text NOT NULL,
	`code` text NOT NULL,
	`field` text,
	`fields` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scoring_attempts` (
	`session_id` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spoken_words` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_id` text NOT NULL,
	`spoken` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `spoken_words_session_id_unique` ON `spoken_words` (`session_id`);--> statement-breakpoint
CREATE TABLE `sync_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`device_id` text NOT NULL,
	`is_registered` integer NOT NULL,
	`user_cursor` integer NOT NULL,
	`catalogue_cursor` integer NOT NULL,
	`last_synced_at` integer,
	`next_device_seq` integer NOT NULL,
	`last_hybrid_time` text
);
