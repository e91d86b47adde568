/** The words of one sentence within the assessment of a whole answer. */
import { findWord, type WordAssessment } from '@parley/domain';

/** The words that were asked for, with their times in the recording; null when they are not found as one stretch. */
export function wordsOfSentence(
  words: readonly WordAssessment[],
  sentence: string,
  nearMs: number,
): WordAssessment[] | null {
  const asked = words.filter(({ error }) => error !== 'Insertion');
  const runs = findWord(
    sentence,
    asked.map(({ word }) => word),
  );
  const ofRun = runs.map(({ first, last }) => asked.slice(first, last + 1));
  // A sentence may be said twice; the one that the feedback is about comes first.
  return ofRun.find((run) => isAt(run, nearMs)) ?? ofRun[0] ?? null;
}

/** The marked word among the words of its sentence; the one at that place, if it occurs more than once. */
export function markedWords(words: readonly WordAssessment[], word: string, nearMs: number): WordAssessment[] {
  const runs = findWord(
    word,
    words.map((each) => each.word),
  ).map(({ first, last }) => words.slice(first, last + 1));
  return runs.find((run) => isAt(run, nearMs)) ?? runs[0] ?? [];
}

const isAt = (run: readonly WordAssessment[], ms: number): boolean =>
  (run[0]?.startMs ?? Infinity) <= ms && ms < (run.at(-1)?.endMs ?? 0);
