CREATE TABLE "plan_outlooks" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"next_price_id" text,
	"next_at" timestamp (3) with time zone,
	"ends_with_account" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "plan_outlooks" ADD CONSTRAINT "plan_outlooks_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;