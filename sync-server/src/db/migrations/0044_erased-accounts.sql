CREATE TABLE "erased_accounts" (
	"user_id_hash" text PRIMARY KEY NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Adds the accounts that were erased on request before this table existed, as far as the audit log still records the request.
INSERT INTO "erased_accounts" ("user_id_hash", "erased_at")
SELECT encode(sha256(convert_to(erased.subject_id::text, 'UTF8')), 'hex'), max(erased.at)
FROM "audit_log" AS erased
JOIN "audit_log" AS asked ON asked.subject_id = erased.subject_id AND asked.act = 'deletion_requested' AND asked.at <= erased.at
WHERE erased.act = 'account_erased'
AND NOT EXISTS (
	SELECT 1 FROM "audit_log" AS withdrawn
	WHERE withdrawn.subject_id = erased.subject_id AND withdrawn.act = 'deletion_withdrawn' AND withdrawn.at BETWEEN asked.at AND erased.at
)
GROUP BY erased.subject_id;
