/** A schedule of future actions by time. Actions of the same time run in the order in which they were added. */

export interface Schedule {
  add: (atMs: number, act: () => Promise<void>) => void;
  /** Removes and returns the earliest action before this time; null when there is none. */
  takeBefore: (endMs: number) => { atMs: number; act: () => Promise<void> } | null;
}

export function createSchedule(): Schedule {
  /** The latest comes first, so that the earliest can be popped from the end. */
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
