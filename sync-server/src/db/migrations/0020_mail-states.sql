UPDATE "mails" SET "state" = 'queued' WHERE "state" = 'waiting';--> statement-breakpoint
UPDATE "mails" SET "state" = 'suppressed' WHERE "state" = 'dropped';--> statement-breakpoint
UPDATE "mails" SET "state" = 'superseded', "html" = '', "text" = '' WHERE "state" = 'failed' AND "trouble" = 'A newer mail replaced it.';
