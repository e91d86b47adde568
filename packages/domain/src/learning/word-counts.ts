/** How often a word was said and how well, by who counted: the log, and each app that knows no log. */
import type { PronunciationWord } from '../practice/pronunciation-list.ts';
import type { WordAttempt } from './word-attempt.ts';

type Counts = NonNullable<PronunciationWord['counts']>;

/** The key in a list's counts for the attempts that are rows of the log. */
export const LOG_COUNT_KEY: string = 'log';

const roundTenth = (value: number): number => Math.round(value * 10) / 10;

/** Attempts by counter. Of the counts that an app without the log has sent, the greatest is its newest. */
export function countsOf(rows: readonly WordAttempt[]): Counts {
  const counts: Counts = {};
  for (const { kind, countedBy, attempts, accuracy } of rows) {
    if (kind !== 'counted' || countedBy === null || attempts === null) continue;
    const known = counts[countedBy];
    const isNewer =
      known === undefined ||
      attempts > known.attempts ||
      (attempts === known.attempts && (accuracy ?? 0) > known.meanAccuracy);
    if (isNewer) counts[countedBy] = { attempts, meanAccuracy: accuracy ?? 0 };
  }
  const said = rows.filter(({ kind, accuracy }) => kind === 'attempt' && accuracy !== null);
  const points = said.reduce((sum, { accuracy }) => sum + (accuracy ?? 0), 0);
  if (said.length > 0)
    counts[LOG_COUNT_KEY] = { attempts: said.length, meanAccuracy: roundTenth(points / said.length) };
  return counts;
}

export const totalOf = (counts: Counts): { attempts: number; meanAccuracy: number } => {
  const all = Object.values(counts);
  const attempts = all.reduce((sum, count) => sum + count.attempts, 0);
  const points = all.reduce((sum, count) => sum + count.attempts * count.meanAccuracy, 0);
  return { attempts, meanAccuracy: attempts === 0 ? 0 : roundTenth(points / attempts) };
};
