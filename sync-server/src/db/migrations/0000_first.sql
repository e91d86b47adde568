CREATE TYPE "public"."communication_style" AS ENUM('text', 'audio');--> statement-breakpoint
CREATE TYPE "public"."conversation_role" AS ENUM('coach', 'learner');--> statement-breakpoint
CREATE TYPE "public"."pricing_type" AS ENUM('one_time', 'recurring');--> statement-breakpoint
CREATE TYPE "public"."device_platform" AS ENUM('windows', 'macos', 'linux', 'other');--> statement-breakpoint
CREATE TYPE "public"."course_status" AS ENUM('available', 'coming_soon');--> statement-breakpoint
CREATE TYPE "public"."interaction_type" AS ENUM('practice', 'video', 'section_opened');--> statement-breakpoint
CREATE TYPE "public"."plan_type" AS ENUM('PRO', 'FREE', 'PLUS', 'TRIALING');--> statement-breakpoint
CREATE TYPE "public"."row_state" AS ENUM('ready', 'not_ready', 'not_visible');--> statement-breakpoint
CREATE TYPE "public"."practice_history_status" AS ENUM('in_progress', 'completed', 'failed_to_generate_score');--> statement-breakpoint
CREATE TYPE "public"."english_level" AS ENUM('beginner', 'intermediate', 'advanced');--> statement-breakpoint
CREATE TYPE "public"."practice_style" AS ENUM('turn_based', 'ultra_realistic');--> statement-breakpoint
CREATE TYPE "public"."practice_difficulty" AS ENUM('easy', 'intermediate', 'hard');--> statement-breakpoint
CREATE TYPE "public"."pricing_interval" AS ENUM('day', 'week', 'month', 'year');--> statement-breakpoint
CREATE TYPE "public"."subscription_status" AS ENUM('trialing', 'active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused');--> statement-breakpoint
CREATE TABLE "ai_agent_profiles" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"skills" jsonb NOT NULL,
	"communication_style" text NOT NULL,
	"avatar_url" text NOT NULL,
	"character_traits" jsonb NOT NULL,
	"manner" jsonb NOT NULL,
	"voice" jsonb NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_conversations" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"interaction_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"course_id" uuid,
	"content" text NOT NULL,
	"role" "conversation_role" NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blog_posts" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"slug" text NOT NULL,
	"content" text NOT NULL,
	"excerpt" text NOT NULL,
	"cover_image" text,
	"published_at" timestamp (3) with time zone,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "blog_posts_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "coach_assignment_history" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"assignment_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"assignment_start_date" timestamp (3) with time zone NOT NULL,
	"assignment_end_date" timestamp (3) with time zone,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_section_practices" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"course_section_practice_id" uuid PRIMARY KEY NOT NULL,
	"course_section_id" uuid NOT NULL,
	"practice_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "course_section_practices_course_section_id_practice_id_unique" UNIQUE("course_section_id","practice_id")
);
--> statement-breakpoint
CREATE TABLE "course_section_videos" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"course_section_video_id" uuid PRIMARY KEY NOT NULL,
	"course_section_id" uuid NOT NULL,
	"video_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "course_section_videos_course_section_id_video_id_unique" UNIQUE("course_section_id","video_id")
);
--> statement-breakpoint
CREATE TABLE "course_sections" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"course_section_id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"descriptions" text NOT NULL,
	"order" integer NOT NULL,
	"course_id" uuid NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "course_sections_course_id_order_unique" UNIQUE("course_id","order")
);
--> statement-breakpoint
CREATE TABLE "courses" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"course_id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"status" "course_status" NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "customers_customer_id_unique" UNIQUE("customer_id"),
	CONSTRAINT "customers_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"platform" "device_platform" NOT NULL,
	"token_hash" text NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "enrollments" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"enrollment_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"course_id" uuid NOT NULL,
	"enrollment_date" timestamp (3) with time zone NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "enrollments_user_id_course_id_unique" UNIQUE("user_id","course_id")
);
--> statement-breakpoint
CREATE TABLE "feedback_details" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"feedback_id" uuid PRIMARY KEY NOT NULL,
	"interaction_id" uuid NOT NULL,
	"performance_categories" jsonb NOT NULL,
	"suggestions" jsonb NOT NULL,
	"score" double precision,
	"user_id" uuid NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "feedback_details_score_range" CHECK ("feedback_details"."score" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "industry" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"updated" timestamp (3) with time zone NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "objectives" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"objective_id" uuid PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"key" text NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_history" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"practice_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"feedback" jsonb,
	"score" double precision,
	"accuracy_score" double precision,
	"fluency_score" double precision,
	"prosody_score" double precision,
	"completeness_score" double precision,
	"pron_score" double precision,
	"words_score" double precision,
	"entire_conversation" jsonb NOT NULL,
	"completed_objectives" jsonb NOT NULL,
	"duration" integer NOT NULL,
	"communication_style" "communication_style" NOT NULL,
	"status" "practice_history_status" NOT NULL,
	"summary" text,
	"difficulty" "practice_difficulty" NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "practice_history_score_range" CHECK ("practice_history"."score" between 0 and 100),
	CONSTRAINT "practice_history_accuracy_score_range" CHECK ("practice_history"."accuracy_score" between 0 and 100),
	CONSTRAINT "practice_history_fluency_score_range" CHECK ("practice_history"."fluency_score" between 0 and 100),
	CONSTRAINT "practice_history_prosody_score_range" CHECK ("practice_history"."prosody_score" between 0 and 100),
	CONSTRAINT "practice_history_completeness_score_range" CHECK ("practice_history"."completeness_score" between 0 and 100),
	CONSTRAINT "practice_history_pron_score_range" CHECK ("practice_history"."pron_score" between 0 and 100),
	CONSTRAINT "practice_history_words_score_range" CHECK ("practice_history"."words_score" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "practice_objectives" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"practice_objective_id" uuid PRIMARY KEY NOT NULL,
	"practice_id" uuid NOT NULL,
	"objective_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "practice_objectives_practice_id_objective_id_unique" UNIQUE("practice_id","objective_id")
);
--> statement-breakpoint
CREATE TABLE "practices" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"practice_id" uuid PRIMARY KEY NOT NULL,
	"availability" "row_state" NOT NULL,
	"description" text NOT NULL,
	"scenario" text NOT NULL,
	"duration" integer NOT NULL,
	"title" text NOT NULL,
	"cover_image_url" text NOT NULL,
	"agent_name" text NOT NULL,
	"description_summary" text NOT NULL,
	"category" text NOT NULL,
	"agent_image" text NOT NULL,
	"level" "english_level" NOT NULL,
	"agent_id" uuid NOT NULL,
	"learner_role" text NOT NULL,
	"useful_words" jsonb NOT NULL,
	"dialogue" jsonb,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"price_id" text NOT NULL,
	"product_id" uuid NOT NULL,
	"description" text,
	"unit_amount" integer NOT NULL,
	"currency" text NOT NULL,
	"pricing_type" "pricing_type" NOT NULL,
	"pricing_plan_interval" "pricing_interval",
	"interval_count" integer,
	"type" "plan_type" NOT NULL,
	"is_test" boolean NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "prices_price_id_unique" UNIQUE("price_id")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" text NOT NULL,
	"active" boolean NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_test" boolean NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "products_product_id_unique" UNIQUE("product_id")
);
--> statement-breakpoint
CREATE TABLE "pronunciation_improvement_summary" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"words" jsonb NOT NULL,
	"user_id" uuid NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "pronunciation_improvement_summary_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"subscription_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"plan_type" "plan_type" NOT NULL,
	"quota" integer NOT NULL,
	"remaining_time" integer NOT NULL,
	"cancel_at" timestamp (3) with time zone,
	"cancel_at_period_end" boolean NOT NULL,
	"canceled_at" timestamp (3) with time zone,
	"current_period_start" timestamp (3) with time zone,
	"current_period_end" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"price_id" uuid,
	"quantity" integer,
	"status" "subscription_status",
	"provider_subscription_id" text,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "subscriptions_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "subscriptions_provider_subscription_id_unique" UNIQUE("provider_subscription_id")
);
--> statement-breakpoint
CREATE TABLE "sync_scopes" (
	"scope" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_course_interaction" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"interaction_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"course_id" uuid,
	"interaction_type" "interaction_type" NOT NULL,
	"timestamp" timestamp (3) with time zone NOT NULL,
	"details" jsonb NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"user_id" uuid PRIMARY KEY NOT NULL,
	"first_name" text,
	"last_name" text,
	"job_title" text,
	"industry" uuid,
	"agent_id" uuid,
	"avatar_url" text,
	"email" text,
	"has_access" boolean NOT NULL,
	"access_date" timestamp (3) with time zone,
	"summary" text,
	"english_level" "english_level",
	"subscription_id" uuid,
	"last_login_at" timestamp (3) with time zone,
	"email_notifications" boolean NOT NULL,
	"is_admin" boolean NOT NULL,
	"practice_difficulty" "practice_difficulty",
	"practice_style" "practice_style",
	"has_seen_onboarding" boolean NOT NULL,
	"not_yet_practiced_email_sent" boolean NOT NULL,
	"plan_upgrade_reminder_email_sent" boolean NOT NULL,
	"access_link_not_received_email_sent" boolean NOT NULL,
	"not_logged_in_after_access_email_sent" boolean NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "videos" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"video_id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"file_url" text NOT NULL,
	"transcript" text NOT NULL,
	"availability" "row_state" NOT NULL,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_interaction_id_fk" FOREIGN KEY ("interaction_id") REFERENCES "public"."user_course_interaction"("interaction_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("course_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coach_assignment_history" ADD CONSTRAINT "coach_assignment_history_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coach_assignment_history" ADD CONSTRAINT "coach_assignment_history_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."ai_agent_profiles"("agent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_section_practices" ADD CONSTRAINT "course_section_practices_course_section_id_fk" FOREIGN KEY ("course_section_id") REFERENCES "public"."course_sections"("course_section_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_section_practices" ADD CONSTRAINT "course_section_practices_practice_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("practice_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_section_videos" ADD CONSTRAINT "course_section_videos_course_section_id_fk" FOREIGN KEY ("course_section_id") REFERENCES "public"."course_sections"("course_section_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_section_videos" ADD CONSTRAINT "course_section_videos_video_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("video_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "course_sections" ADD CONSTRAINT "course_sections_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("course_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrollments" ADD CONSTRAINT "enrollments_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("course_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_details" ADD CONSTRAINT "feedback_details_interaction_id_fk" FOREIGN KEY ("interaction_id") REFERENCES "public"."user_course_interaction"("interaction_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_details" ADD CONSTRAINT "feedback_details_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_codes" ADD CONSTRAINT "link_codes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_history" ADD CONSTRAINT "practice_history_practice_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("practice_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_history" ADD CONSTRAINT "practice_history_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_history" ADD CONSTRAINT "practice_history_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."ai_agent_profiles"("agent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_objectives" ADD CONSTRAINT "practice_objectives_practice_id_fk" FOREIGN KEY ("practice_id") REFERENCES "public"."practices"("practice_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practice_objectives" ADD CONSTRAINT "practice_objectives_objective_id_fk" FOREIGN KEY ("objective_id") REFERENCES "public"."objectives"("objective_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "practices" ADD CONSTRAINT "practices_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."ai_agent_profiles"("agent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prices" ADD CONSTRAINT "prices_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pronunciation_improvement_summary" ADD CONSTRAINT "pronunciation_improvement_summary_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_price_id_fk" FOREIGN KEY ("price_id") REFERENCES "public"."prices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_course_interaction" ADD CONSTRAINT "user_course_interaction_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_course_interaction" ADD CONSTRAINT "user_course_interaction_course_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("course_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_industry_fk" FOREIGN KEY ("industry") REFERENCES "public"."industry"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."ai_agent_profiles"("agent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_agent_profiles_sync_version_index" ON "ai_agent_profiles" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "ai_conversations_user_id_sync_version_index" ON "ai_conversations" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "blog_posts_sync_version_index" ON "blog_posts" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "coach_assignment_history_user_id_sync_version_index" ON "coach_assignment_history" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "course_section_practices_sync_version_index" ON "course_section_practices" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "course_section_videos_sync_version_index" ON "course_section_videos" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "course_sections_sync_version_index" ON "course_sections" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "courses_sync_version_index" ON "courses" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "customers_user_id_sync_version_index" ON "customers" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "enrollments_user_id_sync_version_index" ON "enrollments" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "feedback_details_user_id_sync_version_index" ON "feedback_details" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "industry_sync_version_index" ON "industry" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "objectives_sync_version_index" ON "objectives" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "practice_history_user_id_sync_version_index" ON "practice_history" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "practice_objectives_sync_version_index" ON "practice_objectives" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "practices_sync_version_index" ON "practices" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "prices_sync_version_index" ON "prices" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "products_sync_version_index" ON "products" USING btree ("sync_version");--> statement-breakpoint
CREATE INDEX "pronunciation_improvement_summary_user_id_sync_version_index" ON "pronunciation_improvement_summary" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id_sync_version_index" ON "subscriptions" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "user_course_interaction_user_id_sync_version_index" ON "user_course_interaction" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_user_id_sync_version_index" ON "users" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "videos_sync_version_index" ON "videos" USING btree ("sync_version");