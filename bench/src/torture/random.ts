/** Chance from a seed: the same seed draws the same run. */

export interface Random {
  /** Both ends included. */
  int(min: number, max: number): number;
  isLucky(chance: number): boolean;
  pick<Value>(list: readonly Value[]): Value;
  /** Formed like version 7, so that nothing can tell it from one that a device minted. */
  uuid(): string;
  /** A stream of its own: what one part draws does not move what another draws. */
  fork(): Random;
  /** 0 up to 1. */
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
    isLucky: (chance) => next() < chance,
    pick: (list) => {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
    uuid: () => `${hex(8)}-${hex(4)}-7${hex(3)}-${int(8, 11).toString(16)}${hex(3)}-${hex(12)}`,
    fork: () => seededRandom(int(0, 2 ** 32 - 1)),
  };
}
