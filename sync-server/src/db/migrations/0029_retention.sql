ALTER TABLE "school_settings" ADD COLUMN "audit_months" integer;--> statement-breakpoint
ALTER TABLE "school_settings" ADD COLUMN "mail_months" integer;