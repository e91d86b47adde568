/** Limits how many streams of this process may prefetch a page. */

export interface PrefetchLimiter {
  /** Returns false when enough streams are prefetching. */
  tryAcquire: () => boolean;
  release: () => void;
}

const MAX_PREFETCHES = 16;

export function createPrefetchLimiter(most: number = MAX_PREFETCHES): PrefetchLimiter {
  let reading = 0;
  return {
    tryAcquire: () => {
      if (reading >= most) return false;
      reading += 1;
      return true;
    },
    release: () => {
      reading -= 1;
    },
  };
}
