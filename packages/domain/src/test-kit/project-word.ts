/** The card of a word, computed from all its rows. */
import { cardOf, type WordCard } from '../learning/word-card.ts';
import type { WordAttempt } from '../learning/word-attempt.ts';
import { replayWord } from '../learning/word-state.ts';

/** `rows` are all rows of one word that are not deleted, in any order. Returns null without rows. */
export function projectWord(rows: readonly WordAttempt[]): WordCard | null {
  const state = replayWord(rows);
  return state === null ? null : cardOf(state);
}
