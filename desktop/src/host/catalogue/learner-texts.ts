/**
 * The texts that a learner may say in a practice: its useful words, and the replies of its dialogue at one difficulty.
 */
import type { PracticeDifficulty, PracticeId } from '@parley/domain';
import type { Store } from '../store/index.ts';

/** The query extracts the replies, because whole dialogues are long and many practices are read in a row. */
export const readLearnerTexts = (store: Store, practiceId: PracticeId, difficulty: PracticeDifficulty): string[] =>
  store.sqlite
    .prepare<[{ practiceId: string; difficulty: string }], string>(
      `SELECT word.value ->> '$.word' FROM practices, json_each(useful_words) AS word WHERE practice_id = @practiceId
       UNION ALL
       SELECT reply.value ->> '$.text' FROM practices, json_each(dialogue, '$.nodes') AS node,
         json_each(node.value, '$.replies.' || @difficulty) AS reply WHERE practice_id = @practiceId`,
    )
    .pluck()
    .all({ practiceId, difficulty });
