/** The words of one sentence within the assessment of a whole answer. */
import { findWord, type WordAssessment } from '@parley/domain';

/** The requested words, with their times in the recording; null when they are not found in sequence. */
export function wordsOfSentence(
  words: readonly WordAssessment[],
  sentence: string,
  atMs: number,
): WordAssessment[] | null {
  const runs = runsOf(
    sentence,
    words.filter(({ error }) => error !== 'Insertion'),
  );
  return runAt(runs, atMs);
}

/** The marked word among the words of its sentence; if it occurs more than once, the one at that time. */
export const markedWords = (words: readonly WordAssessment[], word: string, atMs: number): WordAssessment[] =>
  runAt(runsOf(word, words), atMs) ?? [];

/** Returns which occurrence of the word in its sentence is at that time, counted from 0; null when none is. */
export function occurrenceAt(words: readonly WordAssessment[], word: string, atMs: number): number | null {
  const occurrence = runsOf(word, words).findIndex((run) => isAt(run, atMs));
  return occurrence < 0 ? null : occurrence;
}

const isAt = (run: readonly WordAssessment[], ms: number): boolean =>
  (run[0]?.startMs ?? Infinity) <= ms && ms < (run.at(-1)?.endMs ?? 0);

const runsOf = (text: string, words: readonly WordAssessment[]): WordAssessment[][] =>
  findWord(
    text,
    words.map(({ word }) => word),
  ).map(({ first, last }) => words.slice(first, last + 1));

/**
 * If the words occur in several places, only the one at that time is meant; another would show how a different word was
 * said.
 */
const runAt = (runs: readonly WordAssessment[][], ms: number): WordAssessment[] | null =>
  runs.find((run) => isAt(run, ms)) ?? (runs.length === 1 ? (runs[0] ?? null) : null);
