ALTER TABLE "plan_outlooks" ADD COLUMN "past_due_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plan_outlooks" ADD COLUMN "paid_plan" text;--> statement-breakpoint
ALTER TABLE "plan_outlooks" ADD COLUMN "paid_until" timestamp (3) with time zone;--> statement-breakpoint
INSERT INTO "plan_outlooks" ("user_id", "ends_with_account")
SELECT "user_id", false FROM "subscriptions" WHERE "status" IN ('active', 'past_due') ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE "plan_outlooks" SET "past_due_since" = coalesce(
  (SELECT max("audit_log"."at") FROM "audit_log"
    WHERE "audit_log"."subject_id" = "subscriptions"."user_id" AND "audit_log"."act" = 'plan_changed'
      AND "audit_log"."details" ->> 'status' = 'past_due' AND "audit_log"."details" ->> 'before' IS DISTINCT FROM 'past_due'),
  "subscriptions"."current_period_start", "subscriptions"."updated_at")
FROM "subscriptions" WHERE "subscriptions"."user_id" = "plan_outlooks"."user_id" AND "subscriptions"."status" = 'past_due';--> statement-breakpoint
UPDATE "plan_outlooks" SET "paid_plan" = "subscriptions"."plan_type"::text, "paid_until" = "subscriptions"."current_period_end"
FROM "subscriptions" WHERE "subscriptions"."user_id" = "plan_outlooks"."user_id" AND "subscriptions"."status" = 'active'
  AND NOT "plan_outlooks"."is_period_unpaid";
