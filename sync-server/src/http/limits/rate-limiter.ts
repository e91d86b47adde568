/** Counts points per minute, in PostgreSQL when several nodes share it and otherwise in memory. */
import { hash } from 'node:crypto';
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { lt, sql } from 'drizzle-orm';
import type { Database, DatabaseConnection } from '../../db/client.ts';
import { rateLimits } from '../../db/tables.ts';
import { createBoundedCache } from './bounded-cache.ts';

export interface RateLimiter {
  /** Returns the seconds to wait when the limit is reached, or null when the points were consumed. */
  consume: (key: string, points?: number) => Promise<number | null>;
  /** Refunds one point. */
  refund: (key: string) => Promise<void>;
}

export interface RateLimit {
  /** Separates the counters of different limits with the same key. */
  name: string;
  pointsPerMinute: number;
  /**
   * How many points a node takes from a shared counter at once and then spends in memory, so that most requests cost the database nothing.
   * Each node may refuse a caller about this many points early, and never late.
   */
  blockOf?: number;
}

const MINUTE_S = 60;
const DAY_S = 24 * 3_600;

/** An embedded database has a single server, so its counters stay in memory and a request needs no write. */
export const createRateLimiter = ({ db, jobs }: Pick<DatabaseConnection, 'db' | 'jobs'>, limit: RateLimit) =>
  jobs.type === 'postgres' ? createSharedLimiter(db, limit) : createInMemoryLimiter(limit);

export const createInMemoryLimiter = ({ name, pointsPerMinute }: RateLimit): RateLimiter =>
  wrapLimiter(new RateLimiterMemory({ points: pointsPerMinute, duration: MINUTE_S, keyPrefix: name }));

/** Does the same with a limit per day, for actions that should be rare. */
export function createDailyLimiter(
  { db, jobs }: Pick<DatabaseConnection, 'db' | 'jobs'>,
  { name, pointsPerDay: points }: { name: string; pointsPerDay: number },
): RateLimiter {
  const options = { points, duration: DAY_S, keyPrefix: name };
  return wrapLimiter(jobs.type === 'postgres' ? countInDatabase(db, options) : new RateLimiterMemory(options));
}

function createSharedLimiter(db: Database, { name, pointsPerMinute: points, blockOf = 1 }: RateLimit): RateLimiter {
  const limiter = countInDatabase(db, { points, duration: MINUTE_S, keyPrefix: name });
  return blockOf > 1 ? spendInBlocks(limiter, blockOf) : wrapLimiter(limiter);
}

const countInDatabase = (db: Database, options: { points: number; duration: number; keyPrefix: string }) =>
  new RateLimiterDrizzle({
    ...options,
    storeClient: db,
    schema: rateLimits,
    // Blocks a limited caller in memory, so that further requests cost the database nothing.
    inMemoryBlockOnConsumed: options.points + 1,
    // Each node counts for itself while the database does not answer.
    insuranceLimiter: new RateLimiterMemory(options),
    clearExpiredByTimeout: false,
  });

const wrapLimiter = (limiter: RateLimiterDrizzle | RateLimiterMemory): RateLimiter => ({
  consume: (key, points = 1) =>
    waitSecondsOf(async () => {
      await limiter.consume(hashKey(key), points);
    }),
  refund: async (key) => void (await limiter.reward(hashKey(key))),
});

const MAX_CALLERS_WITH_UNSPENT_POINTS = 50_000;

/** A refund goes to the shared counter. */
function spendInBlocks(limiter: RateLimiterDrizzle, blockOf: number): RateLimiter {
  /** Points that were taken from the shared counter but not spent yet. They expire with the counter's minute. */
  const unspentByKey = createBoundedCache<number>({
    maxKeys: MAX_CALLERS_WITH_UNSPENT_POINTS,
    ttlMs: MINUTE_S * 1000,
  });
  /** Concurrent requests of a caller share a block instead of taking one each. */
  const takenByKey = new Map<string, Promise<void>>();

  const spend = (key: string, points: number): boolean => {
    const unspent = unspentByKey.get(key) ?? 0;
    if (unspent < points) return false;
    unspentByKey.set(key, unspent - points, { noUpdateTTL: true });
    return true;
  };

  async function take(key: string, points: number): Promise<void> {
    const { msBeforeNext } = await limiter.consume(key, points);
    unspentByKey.set(key, (unspentByKey.get(key) ?? 0) + points, { ttl: Math.max(1, msBeforeNext) });
  }

  async function consume(key: string, points: number): Promise<void> {
    while (!spend(key, points)) {
      const taken = takenByKey.get(key);
      if (taken !== undefined) {
        const hasTaken = await taken.then(
          () => true,
          () => false,
        );
        if (hasTaken) continue;
        // The block is used up, so each request consumes its own points.
        await limiter.consume(key, points);
        return;
      }
      const taking = take(key, Math.max(points, blockOf)).finally(() => takenByKey.delete(key));
      takenByKey.set(key, taking);
      await taking;
    }
  }

  return {
    ...wrapLimiter(limiter),
    consume: (key, points = 1) => waitSecondsOf(() => consume(hashKey(key), points)),
  };
}

/** Returns null when the points were consumed. */
async function waitSecondsOf(consume: () => Promise<void>): Promise<number | null> {
  try {
    await consume();
    return null;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
  }
}

/** Keys are hashed, so that the table contains no addresses or account ids. */
const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** Deletes expired counters and returns how many. The library uses the machine's clock, so this does too. */
export async function deleteExpiredCounts({ db }: { db: Database }): Promise<number> {
  return (
    await db
      .delete(rateLimits)
      .where(lt(rateLimits.expire, sql`now()`))
      .returning({ key: rateLimits.key })
  ).length;
}
