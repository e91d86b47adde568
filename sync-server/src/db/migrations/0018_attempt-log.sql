CREATE TYPE "public"."attempt_kind" AS ENUM('attempt', 'graded', 'added', 'learned', 'removed', 'counted');--> statement-breakpoint
CREATE TYPE "public"."attempt_source" AS ENUM('session', 'drill', 'review', 'shadowing');--> statement-breakpoint
CREATE TYPE "public"."review_grade" AS ENUM('again', 'hard', 'good', 'easy');--> statement-breakpoint
CREATE TABLE "word_attempts" (
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"sync_version" bigint NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" "attempt_kind" NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"day" text NOT NULL,
	"word" text NOT NULL,
	"ipa" text NOT NULL,
	"accuracy" double precision,
	"phonemes" jsonb NOT NULL,
	"source" "attempt_source",
	"session_id" uuid,
	"turn_id" uuid,
	"recording_id" uuid,
	"start_ms" integer,
	"end_ms" integer,
	"sentence" text,
	"grade" "review_grade",
	"attempts" integer,
	"counted_by" text,
	"field_clocks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"wire_bytes" integer GENERATED ALWAYS AS (coalesce(octet_length("day"::text), 0) + coalesce(octet_length("word"::text), 0) + coalesce(octet_length("ipa"::text), 0) + coalesce(octet_length("phonemes"::text), 0) + coalesce(octet_length("sentence"::text), 0) + coalesce(octet_length("counted_by"::text), 0) + coalesce(octet_length("field_clocks"::text), 0)) STORED NOT NULL,
	CONSTRAINT "word_attempts_accuracy_range" CHECK ("word_attempts"."accuracy" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "word_attempts" ADD CONSTRAINT "word_attempts_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "word_attempts_user_id_sync_version_index" ON "word_attempts" USING btree ("user_id","sync_version");--> statement-breakpoint
CREATE INDEX "word_attempts_session_id_index" ON "word_attempts" USING btree ("session_id");