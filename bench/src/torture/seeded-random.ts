/** A seeded random generator: the same seed always draws the same run. */
import { mulberry32 } from '../mulberry32.ts';

export interface Random {
  /** Both ends are included. */
  int(min: number, max: number): number;
  happens(chance: number): boolean;
  pick<Value>(list: readonly Value[]): Value;
  /** Has the form of a version 7 UUID, like the ids that devices create. */
  uuid(): string;
  /** Starts an independent stream, so that drawing in one part does not change another. */
  fork(): Random;
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
}

export function seededRandom(seed: number): Random {
  const next = mulberry32(seed);
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const hex = (digits: number): string => Array.from({ length: digits }, () => int(0, 15).toString(16)).join('');
  return {
    int,
    next,
    happens: (chance) => next() < chance,
    pick: (list) => {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-${int(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
    fork: () => seededRandom(int(0, 2 ** 32 - 1)),
  };
}
