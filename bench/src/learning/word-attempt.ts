/** Builds the row of an attempt at a word, with nothing measured unless `row` says so. */
import type { WordAttempt } from '@parley/domain';

export const aWordAttempt = (
  row: Partial<WordAttempt> & Pick<WordAttempt, 'id' | 'kind' | 'at' | 'word'>,
): WordAttempt => ({
  day: row.at.toISOString().slice(0, 10),
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
  ...row,
});
