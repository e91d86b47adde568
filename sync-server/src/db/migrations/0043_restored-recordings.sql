ALTER TABLE "recording_accounts" ADD COLUMN "copies_deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "server_state" ADD COLUMN "restored_at" timestamp (3) with time zone;