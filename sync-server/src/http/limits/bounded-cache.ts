import { LRUCache } from 'lru-cache';

/** Evicts the least recently used key when there are `maxKeys`, and each key after `ttlMs`. */
export const createBoundedCache = <Value extends string | number | boolean>({
  maxKeys,
  ttlMs,
}: {
  maxKeys: number;
  ttlMs: number;
}): LRUCache<string, Value> =>
  // With `max`, the library reserves the memory for all keys at once, which takes 2 MB and several milliseconds for 50,000 of them.
  new LRUCache<string, Value>({ maxSize: maxKeys, sizeCalculation: () => 1, ttl: ttlMs });
