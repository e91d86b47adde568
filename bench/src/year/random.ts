/** A seeded random number generator, so that the same seed gives the same year. */
import { mulberry32 } from '../mulberry32.ts';

export interface Random {
  /** A number from 0 to 1. */
  next: () => number;
  /** True with this probability in percent. */
  isWithinPercent: (percent: number) => boolean;
  /** An integer in this range, both ends included. */
  integer: (from: number, to: number) => number;
  pick: <const Value>(of: readonly [Value, ...Value[]]) => Value;
  shuffled: <Value>(all: readonly Value[]) => Value[];
  uuid: () => string;
  /** A generator of its own, so that draws of one learner do not change another's. */
  fork: () => Random;
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const hex = (digits: number): string => Array.from({ length: digits }, () => whole(0, 15).toString(16)).join('');
  return {
    next,
    isWithinPercent: (percent) => next() * 100 < percent,
    integer: whole,
    pick: (of) => of[whole(0, of.length - 1)] ?? of[0],
    shuffled: (all) =>
      all
        .map((value) => ({ value, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    fork: () => createRandom(whole(0, 2 ** 32 - 1)),
  };
}
