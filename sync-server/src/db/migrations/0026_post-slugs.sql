CREATE TABLE "post_slugs" (
	"slug" text NOT NULL,
	"post_id" uuid NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "post_slugs_slug_post_id_pk" PRIMARY KEY("slug","post_id")
);
--> statement-breakpoint
ALTER TABLE "post_slugs" ADD CONSTRAINT "post_slugs_post_id_blog_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."blog_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "post_slugs" ("slug", "post_id", "published_at")
SELECT v."document" ->> 'slug', v."id", max(v."at")
FROM "content_versions" v JOIN "blog_posts" p ON p."id" = v."id"
-- Posts of the starter catalogue were published before their first change.
WHERE v."act" IN ('published', 'base') AND v."document" ->> 'slug' IS NOT NULL
GROUP BY 1, 2
UNION ALL
SELECT p."slug", p."id", p."updated_at" FROM "blog_posts" p
ON CONFLICT DO NOTHING;
