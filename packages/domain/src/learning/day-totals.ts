/**
 * The totals of a learner's day: attempts at each sound, reviews and words, computed from the day's rows of the attempt
 * log.
 */
import { z } from 'zod';
import type { WordAttempt } from './word-attempt.ts';

const SoundTotal = z.object({
  attempts: z.number().int(),
  /** The sum of the accuracies, so that days can be added up. */
  points: z.number(),
});

export const DayTotals = z.object({
  words: z.number().int(),
  reviews: z.number().int(),
  sounds: z.record(z.string(), SoundTotal),
});
export type DayTotals = z.infer<typeof DayTotals>;

const NO_TOTALS: DayTotals = { words: 0, reviews: 0, sounds: {} };

/** Adds rows to the totals of their day. `rows` must not be deleted, nor already included in `before`. */
export function totalsOfDay(
  rows: readonly Pick<WordAttempt, 'kind' | 'accuracy' | 'phonemes'>[],
  before: DayTotals = NO_TOTALS,
): DayTotals {
  const totals: DayTotals = { ...before, sounds: { ...before.sounds } };
  for (const { kind, accuracy, phonemes } of rows) {
    if (kind === 'graded') totals.reviews += 1;
    if (kind !== 'attempt' || accuracy === null) continue;
    totals.words += 1;
    for (const [phoneme, points] of phonemes) {
      if (points === null) continue;
      const known = totals.sounds[phoneme] ?? { attempts: 0, points: 0 };
      totals.sounds[phoneme] = { attempts: known.attempts + 1, points: known.points + points };
    }
  }
  return totals;
}
