/** Builds attempts at words. */
import type { WordAttempt } from '../learning/word-attempt.ts';

/** The columns of an attempt for which nothing was measured. */
export const NOTHING_MEASURED = {
  ipa: '',
  accuracy: null,
  phonemes: [],
  source: null,
  recordingId: null,
  startMs: null,
  endMs: null,
  sentence: null,
  grade: null,
  attempts: null,
  countedBy: null,
} satisfies Partial<WordAttempt>;

/** Nothing is measured unless `row` says so. */
export const aWordAttempt = (
  row: Partial<WordAttempt> & Pick<WordAttempt, 'id' | 'kind' | 'at' | 'word'>,
): WordAttempt => ({ day: row.at.toISOString().slice(0, 10), ...NOTHING_MEASURED, ...row });
