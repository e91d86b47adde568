/** The attempts at a word and their mean accuracy, by counter: the log, and each app version without a log. */
import type { PronunciationWord } from '../practice/pronunciation-list.ts';

export type Counts = NonNullable<PronunciationWord['counts']>;

/** In a list's counts, the key for attempts that are rows of the log. */
export const LOG_COUNT_KEY: string = 'log';

export const roundTenth = (value: number): number => Math.round(value * 10) / 10;

export const totalOf = (counts: Counts): { attempts: number; meanAccuracy: number } => {
  const all = Object.values(counts);
  const attempts = all.reduce((sum, count) => sum + count.attempts, 0);
  const points = all.reduce((sum, count) => sum + count.attempts * count.meanAccuracy, 0);
  return { attempts, meanAccuracy: attempts === 0 ? 0 : roundTenth(points / attempts) };
};
