/** What is still to happen, by its time; of one moment, in the order in which it was written down. */

export interface Agenda {
  add: (atMs: number, act: () => Promise<void>) => void;
  /** The earliest, which is then no longer there; null: nothing is left before this time. */
  takeBefore: (endMs: number) => { atMs: number; act: () => Promise<void> } | null;
}

export function createAgenda(): Agenda {
  /** The latest first, so that what is taken stands at the end. */
  const entries: { atMs: number; act: () => Promise<void> }[] = [];
  return {
    add(atMs, act) {
      let [low, high] = [0, entries.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((entries[middle]?.atMs ?? 0) > atMs) low = middle + 1;
        else high = middle;
      }
      entries.splice(low, 0, { atMs, act });
    },
    takeBefore(endMs) {
      const next = entries.at(-1);
      if (next === undefined || next.atMs >= endMs) return null;
      entries.pop();
      return next;
    },
  };
}
