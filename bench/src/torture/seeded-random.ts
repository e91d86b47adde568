/** A seeded random generator: the same seed always draws the same run. */

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

/** Mulberry32 (Tommy Ettinger, 2017): 32 bits of state are plenty for a plan of a few hundred draws. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
