-- Making a session searchable takes three times as long as storing it, so the host does it soon afterwards, a few sessions at a time, and
-- before it searches. A change deletes the session from `spoken_words`; the host finds the sessions to index by their missing rows.
DROP TRIGGER `practice_history_said`;
--> statement-breakpoint
DROP TRIGGER `practice_history_said_more`;
--> statement-breakpoint
CREATE TRIGGER `practice_history_said_more` AFTER UPDATE OF `entire_conversation` ON `practice_history`
WHEN old.`entire_conversation` IS NOT new.`entire_conversation` BEGIN
  DELETE FROM `spoken_words` WHERE `session_id` = old.`id`;
END;
