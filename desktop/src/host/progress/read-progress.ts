/** Reads what Progress shows, without loading any conversation. */
import type { DimensionScores, LocalDay, SessionId } from '@parley/domain';
import { practisedIn, type Store } from '../store/index.ts';

export interface PractisedSession {
  sessionId: SessionId;
  at: Date;
  title: string | null;
  durationS: number;
  isFinished: boolean;
  scores: DimensionScores;
  pron: number | null;
  words: number | null;
}

interface SessionRow extends DimensionScores {
  sessionId: SessionId;
  startedAtMs: number;
  title: string | null;
  durationS: number;
  isFinished: number;
  pron: number | null;
  words: number | null;
}

/** Oldest first. */
export const readSessions = (store: Store): PractisedSession[] =>
  store.sqlite
    .prepare<[string], SessionRow>(
      `SELECT h.id AS sessionId, h.created_at AS startedAtMs, h.duration AS durationS,
         ${practisedIn('h')} AS isFinished, p.title AS title, h.accuracy_score AS accuracy,
         h.fluency_score AS fluency, h.prosody_score AS prosody, h.completeness_score AS completeness,
         h.pron_score AS pron, h.words_score AS words
       FROM practice_history h LEFT JOIN practices p ON p.practice_id = h.practice_id
       WHERE h.user_id = ? AND h.deleted_at IS NULL ORDER BY h.created_at`,
    )
    .all(store.identity().userId)
    .map(({ sessionId, startedAtMs, title, durationS, isFinished, pron, words, ...scores }) => ({
      sessionId,
      at: new Date(startedAtMs),
      title,
      durationS,
      isFinished: isFinished === 1,
      scores,
      pron,
      words,
    }));

/** The days on which words were learned, once for each word. */
export const readWordsLearned = (store: Store): LocalDay[] =>
  store.sqlite
    .prepare<[string], LocalDay>('SELECT mastered_day FROM word_cards WHERE user_id = ? AND mastered_day IS NOT NULL')
    .pluck()
    .all(store.identity().userId);

/** The words in which each sound went wrong last. */
export function readSoundExamples(store: Store, limit: number): Map<string, string[]> {
  const rows = store.sqlite
    .prepare<[string], { word: string; sounds: string }>(
      `SELECT word, card ->> '$.worstPhonemes' AS sounds FROM word_cards
       WHERE user_id = ? AND last_wrong_at IS NOT NULL AND status <> 'removed' ORDER BY last_wrong_at DESC, word`,
    )
    .all(store.identity().userId);
  const examples = new Map<string, string[]>();
  for (const { word, sounds } of rows)
    for (const sound of JSON.parse(sounds) as string[]) {
      const words = examples.get(sound) ?? [];
      if (words.length < limit) examples.set(sound, [...words, word]);
    }
  return examples;
}
