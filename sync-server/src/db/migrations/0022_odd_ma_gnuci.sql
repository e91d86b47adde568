ALTER TABLE "devices" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "web_sessions" ADD COLUMN "language" text;