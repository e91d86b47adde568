-- Keeps the text of each session searchable in the transaction that changes it, for every kind of change:
-- a new turn, a page pulled from the server, or rows that move to a joined account.
CREATE VIRTUAL TABLE `spoken_words_index` USING fts5(
  `spoken`, content = 'spoken_words', content_rowid = 'position', tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER `spoken_words_added` AFTER INSERT ON `spoken_words` BEGIN
  INSERT INTO `spoken_words_index` (`rowid`, `spoken`) VALUES (new.`position`, new.`spoken`);
END;
--> statement-breakpoint
CREATE TRIGGER `spoken_words_changed` AFTER UPDATE OF `spoken` ON `spoken_words` BEGIN
  INSERT INTO `spoken_words_index` (`spoken_words_index`, `rowid`, `spoken`) VALUES ('delete', old.`position`, old.`spoken`);
  INSERT INTO `spoken_words_index` (`rowid`, `spoken`) VALUES (new.`position`, new.`spoken`);
END;
--> statement-breakpoint
CREATE TRIGGER `spoken_words_removed` AFTER DELETE ON `spoken_words` BEGIN
  INSERT INTO `spoken_words_index` (`spoken_words_index`, `rowid`, `spoken`) VALUES ('delete', old.`position`, old.`spoken`);
END;
--> statement-breakpoint
CREATE TRIGGER `practice_history_said` AFTER INSERT ON `practice_history` BEGIN
  INSERT INTO `spoken_words` (`session_id`, `spoken`)
  SELECT new.`id`, coalesce((SELECT group_concat(`value` ->> '$.text', char(10)) FROM json_each(new.`entire_conversation`)), '')
  WHERE true
  ON CONFLICT (`session_id`) DO UPDATE SET `spoken` = excluded.`spoken`;
END;
--> statement-breakpoint
CREATE TRIGGER `practice_history_said_more` AFTER UPDATE OF `entire_conversation` ON `practice_history`
WHEN old.`entire_conversation` IS NOT new.`entire_conversation` BEGIN
  INSERT INTO `spoken_words` (`session_id`, `spoken`)
  SELECT new.`id`, coalesce((SELECT group_concat(`value` ->> '$.text', char(10)) FROM json_each(new.`entire_conversation`)), '')
  WHERE true
  ON CONFLICT (`session_id`) DO UPDATE SET `spoken` = excluded.`spoken`;
END;
--> statement-breakpoint
CREATE TRIGGER `practice_history_gone` AFTER DELETE ON `practice_history` BEGIN
  DELETE FROM `spoken_words` WHERE `session_id` = old.`id`;
END;
--> statement-breakpoint
CREATE INDEX `user_course_interaction_session_index` ON `user_course_interaction` (`details` ->> '$.sessionId');
