CREATE TABLE "crash_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"version" text NOT NULL,
	"system" text NOT NULL,
	"kind" text NOT NULL,
	"code" text,
	"frames" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crash_reports" ADD CONSTRAINT "crash_reports_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crash_reports_received_at_index" ON "crash_reports" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "crash_reports_user_id_received_at_index" ON "crash_reports" USING btree ("user_id","received_at");