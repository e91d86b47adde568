ALTER TABLE "devices" ADD COLUMN "last_change_at" text;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "last_change_offset_ms" bigint;