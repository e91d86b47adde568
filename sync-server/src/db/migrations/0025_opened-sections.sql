CREATE TABLE "opened_sections" (
	"user_id" uuid NOT NULL,
	"course_section_id" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "opened_sections_user_id_course_section_id_pk" PRIMARY KEY("user_id","course_section_id")
);
--> statement-breakpoint
ALTER TABLE "opened_sections" ADD CONSTRAINT "opened_sections_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "opened_sections" ADD CONSTRAINT "opened_sections_course_section_id_course_sections_course_section_id_fk" FOREIGN KEY ("course_section_id") REFERENCES "public"."course_sections"("course_section_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "opened_sections" ("user_id", "course_section_id", "opened_at")
SELECT i."user_id", s."course_section_id", min(i."timestamp")
FROM "user_course_interaction" i
JOIN "course_sections" s ON s."course_section_id"::text = i."details" ->> 'courseSectionId'
WHERE i."deleted_at" IS NULL AND (
  -- Learners who never had a plan, a class or a school without plans cannot have begun more than the first sections.
  EXISTS (SELECT 1 FROM "subscriptions" p WHERE p."user_id" = i."user_id")
  OR EXISTS (
    SELECT 1 FROM "class_members" m JOIN "class_courses" a ON a."class_id" = m."class_id"
    WHERE m."user_id" = i."user_id" AND a."course_id" = s."course_id")
  OR NOT EXISTS (
    SELECT 1 FROM "prices" r JOIN "products" q ON q."id" = r."product_id"
    WHERE r."deleted_at" IS NULL AND q."deleted_at" IS NULL AND q."active"))
GROUP BY i."user_id", s."course_section_id";
