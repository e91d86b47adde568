CREATE TABLE "content_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"title" text NOT NULL,
	"draft" jsonb,
	"revision" integer DEFAULT 1 NOT NULL,
	"starter_hash" text,
	"publish_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone NOT NULL,
	"edited_by" uuid
);
--> statement-breakpoint
CREATE TABLE "content_versions" (
	"id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"document" jsonb NOT NULL,
	"act" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	CONSTRAINT "content_versions_id_revision_pk" PRIMARY KEY("id","revision")
);
--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_id_content_documents_id_fk" FOREIGN KEY ("id") REFERENCES "public"."content_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_documents_kind_title_index" ON "content_documents" USING btree ("kind","title");--> statement-breakpoint
CREATE INDEX "content_documents_publish_at_index" ON "content_documents" USING btree ("publish_at");