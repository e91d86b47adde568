/** Chance that comes out the same for the same seed. */

export interface Chance {
  /** 0 to 1. */
  next: () => number;
  /** In so many of a hundred cases. */
  inPercent: (percent: number) => boolean;
  /** Both ends are among them. */
  whole: (from: number, to: number) => number;
  pick: <const Value>(of: readonly [Value, ...Value[]]) => Value;
  shuffled: <Value>(all: readonly Value[]) => Value[];
  uuid: () => string;
  /** Goes its own way: what one asks does not change what another gets. */
  branch: () => Chance;
}

/** Mulberry32, by Tommy Ettinger. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const hex = (digits: number): string => Array.from({ length: digits }, () => whole(0, 15).toString(16)).join('');
  return {
    next,
    inPercent: (percent) => next() * 100 < percent,
    whole,
    pick: (of) => of[whole(0, of.length - 1)] ?? of[0],
    shuffled: (all) =>
      all
        .map((value) => ({ value, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    branch: () => createChance(whole(0, 2 ** 32 - 1)),
  };
}
