CREATE TABLE "kept_recordings" (
	"user_id" uuid NOT NULL,
	"recording_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"version" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "kept_recordings_user_id_recording_id_pk" PRIMARY KEY("user_id","recording_id")
);
--> statement-breakpoint
CREATE TABLE "recording_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"chosen_at" timestamp (3) with time zone NOT NULL,
	"generation" uuid NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recording_blobs" (
	"user_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"file_id" uuid NOT NULL,
	"state" text NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recording_blobs_user_id_sha256_pk" PRIMARY KEY("user_id","sha256"),
	CONSTRAINT "recording_blobs_file_id_unique" UNIQUE("file_id")
);
--> statement-breakpoint
CREATE TABLE "recording_erasures" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recording_parts" (
	"user_id" uuid NOT NULL,
	"sha256" text NOT NULL,
	"start" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "recording_parts_user_id_sha256_start_pk" PRIMARY KEY("user_id","sha256","start")
);
--> statement-breakpoint
ALTER TABLE "kept_recordings" ADD CONSTRAINT "kept_recordings_user_id_sha256_recording_blobs_user_id_sha256_fk" FOREIGN KEY ("user_id","sha256") REFERENCES "public"."recording_blobs"("user_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_parts" ADD CONSTRAINT "recording_parts_user_id_sha256_recording_blobs_user_id_sha256_fk" FOREIGN KEY ("user_id","sha256") REFERENCES "public"."recording_blobs"("user_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_recordings_version_index" ON "kept_recordings" USING btree ("user_id","version");--> statement-breakpoint
CREATE INDEX "kept_recordings_session_index" ON "kept_recordings" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "kept_recordings_sha256_index" ON "kept_recordings" USING btree ("user_id","sha256");--> statement-breakpoint
CREATE INDEX "recording_blobs_receiving_index" ON "recording_blobs" USING btree ("created_at") WHERE state = 'receiving';--> statement-breakpoint
CREATE INDEX "recording_erasures_requested_at_index" ON "recording_erasures" USING btree ("requested_at");