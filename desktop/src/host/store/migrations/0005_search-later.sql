-- Making a session searchable takes three times as long as storing it: the host does so soon after, a few sessions at a time, and before
-- it searches. What changed is no longer in `spoken_words`, and so is found by what is missing there.
DROP TRIGGER `practice_history_said`;
--> statement-breakpoint
DROP TRIGGER `practice_history_said_more`;
--> statement-breakpoint
CREATE TRIGGER `practice_history_said_more` AFTER UPDATE OF `entire_conversation` ON `practice_history`
WHEN old.`entire_conversation` IS NOT new.`entire_conversation` BEGIN
  DELETE FROM `spoken_words` WHERE `session_id` = old.`id`;
END;
