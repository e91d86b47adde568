ALTER TABLE "devices" ADD COLUMN "wipe_key" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "wipe_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "wiped_at" timestamp (3) with time zone;