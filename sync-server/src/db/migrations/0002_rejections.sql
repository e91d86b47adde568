CREATE TABLE "rejections" (
	"device_id" uuid NOT NULL,
	"device_seq" bigint NOT NULL,
	"code" text NOT NULL,
	"field" text,
	CONSTRAINT "rejections_device_id_device_seq_pk" PRIMARY KEY("device_id","device_seq")
);
--> statement-breakpoint
ALTER TABLE "rejections" ADD CONSTRAINT "rejections_device_id_devices_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("device_id") ON DELETE no action ON UPDATE no action;