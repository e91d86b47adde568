CREATE TABLE "post_pictures" (
	"post_id" uuid NOT NULL,
	"media_id" uuid NOT NULL,
	CONSTRAINT "post_pictures_post_id_media_id_pk" PRIMARY KEY("post_id","media_id")
);
--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "width" integer;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "height" integer;--> statement-breakpoint
ALTER TABLE "post_pictures" ADD CONSTRAINT "post_pictures_post_id_blog_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."blog_posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "post_pictures_media_id_index" ON "post_pictures" USING btree ("media_id");