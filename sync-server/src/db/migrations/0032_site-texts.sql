CREATE TABLE "site_texts" (
	"name" text NOT NULL,
	"language" text NOT NULL,
	"draft" text,
	"published" text,
	"revision" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "site_texts_name_language_pk" PRIMARY KEY("name","language")
);
