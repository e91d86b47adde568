CREATE TABLE "practice_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"practice_id" uuid NOT NULL,
	"node" text,
	"line" text,
	"text" text NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "practice_reports" ADD CONSTRAINT "practice_reports_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "practice_reports_closed_at_received_at_index" ON "practice_reports" USING btree ("closed_at","received_at");--> statement-breakpoint
CREATE INDEX "practice_reports_user_id_received_at_index" ON "practice_reports" USING btree ("user_id","received_at");