CREATE TYPE "public"."turn_kind" AS ENUM('line', 'rephrase', 'goodbye');--> statement-breakpoint
CREATE TYPE "public"."turn_mode" AS ENUM('voice', 'typed');--> statement-breakpoint
CREATE TABLE "server_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"epoch" text NOT NULL,
	"identity" text,
	"commits" bigint DEFAULT 0 NOT NULL,
	"turns_moved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "stale_conversations" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "enrollments" DROP CONSTRAINT "enrollments_user_id_course_id_unique";--> statement-breakpoint
ALTER TABLE "pronunciation_improvement_summary" DROP CONSTRAINT "pronunciation_improvement_summary_user_id_unique";--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "previous_turn_id" uuid;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "said_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "node" text;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "kind" "turn_kind";--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "mode" "turn_mode";--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "fitted" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "recording_id" uuid;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "hint_level" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD COLUMN "assessment" jsonb;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "epoch" text;--> statement-breakpoint
ALTER TABLE "rejections" ADD COLUMN "refused" jsonb;--> statement-breakpoint
ALTER TABLE "sync_scopes" ADD COLUMN "epoch" text;--> statement-breakpoint
ALTER TABLE "stale_conversations" ADD CONSTRAINT "stale_conversations_session_id_practice_history_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."practice_history"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stale_conversations_user_id_index" ON "stale_conversations" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "ai_conversations" ADD CONSTRAINT "ai_conversations_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."practice_history"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ai_conversations_session_id_index" ON "ai_conversations" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "enrollments_user_id_course_id_unique" ON "enrollments" USING btree ("user_id","course_id") WHERE "enrollments"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "pronunciation_improvement_summary_user_id_unique" ON "pronunciation_improvement_summary" USING btree ("user_id") WHERE "pronunciation_improvement_summary"."deleted_at" is null;--> statement-breakpoint
INSERT INTO "server_state" ("id", "epoch") VALUES (1, gen_random_uuid()::text);
