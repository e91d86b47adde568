ALTER TABLE "devices" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "web_sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;