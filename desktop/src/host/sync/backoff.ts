/** How long to wait before the next try: exponential with full jitter, so that devices do not come back all at once. */

const FIRST_MS = 1_000;
const LONGEST_MS = 5 * 60_000;

/** Brooker, "Exponential Backoff and Jitter" (AWS, 2015). `failures` counts from 1. */
export const backoffMs = (failures: number, chance: () => number): number =>
  chance() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
