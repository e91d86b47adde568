CREATE TABLE "media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"file_name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"media_type" text,
	"sha256" text,
	"duration_s" double precision,
	"cover_type" text,
	"cover_sha256" text,
	"uploaded_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "media_state_created_at_index" ON "media" USING btree ("state","created_at");