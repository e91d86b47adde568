/** Limits how many streams of this process may prefetch a page. */

export interface PrefetchLimiter {
  /** Returns false when enough streams are prefetching. */
  tryAcquire: () => boolean;
  release: () => void;
}

const MAX_PREFETCHES = 16;

export function createPrefetchLimiter(): PrefetchLimiter {
  let reading = 0;
  return {
    tryAcquire: () => {
      if (reading >= MAX_PREFETCHES) return false;
      reading += 1;
      return true;
    },
    release: () => {
      reading -= 1;
    },
  };
}
