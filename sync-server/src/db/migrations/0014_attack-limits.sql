CREATE TABLE "ai_reservations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"is_anonymous" boolean NOT NULL,
	"is_leased" boolean NOT NULL,
	"cost_micros" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_spending" (
	"day" text NOT NULL,
	"payer" text NOT NULL,
	"cost_micros" bigint NOT NULL,
	CONSTRAINT "ai_spending_day_payer_pk" PRIMARY KEY("day","payer")
);
--> statement-breakpoint
ALTER TABLE "ai_leases" ADD COLUMN "began_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_leases" ADD COLUMN "heard_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ai_leases" ADD COLUMN "served_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ai_leases" ADD COLUMN "is_failing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "request_hash" text;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "requester" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "is_known" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "wrong_guesses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "ai_reservations_expires_at_index" ON "ai_reservations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_ins_created_at_index" ON "sign_ins" USING btree ("created_at");--> statement-breakpoint
INSERT INTO "ai_spending" ("day", "payer", "cost_micros")
SELECT to_char("at" AT TIME ZONE 'utc', 'YYYY-MM-DD'), 'all', sum("cost_micros") FROM "ai_usage"
WHERE "at" >= date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc' GROUP BY 1;
