ALTER TABLE "school_settings" ADD COLUMN "colour" text;--> statement-breakpoint
ALTER TABLE "school_settings" ADD COLUMN "logo_sha256" text;--> statement-breakpoint
ALTER TABLE "school_settings" ADD COLUMN "logo_width" integer;--> statement-breakpoint
ALTER TABLE "school_settings" ADD COLUMN "logo_height" integer;