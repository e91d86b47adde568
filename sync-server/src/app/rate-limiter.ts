/** Counts what is asked for in a minute: in PostgreSQL, where all nodes see it, or in memory where there is only this one. */
import { createHash } from 'node:crypto';
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { lt, sql } from 'drizzle-orm';
import type { Database, DatabaseConnection } from '../db/client.ts';
import { rateLimits } from '../db/tables.ts';

export interface RateLimiter {
  /** Seconds to wait when it is too much; null when it is admitted. */
  consume: (key: string, points?: number) => Promise<number | null>;
  /** Takes back what was counted. */
  reward: (key: string) => Promise<void>;
}

export interface RateLimit {
  /** Tells apart what different limits count under one key. */
  name: string;
  pointsAMinute: number;
}

const MINUTE_S = 60;

/** A database in a folder or in memory has one server, so its counts need not be shared, and a call need not write. */
export const createRateLimiter = ({ db, jobs }: Pick<DatabaseConnection, 'db' | 'jobs'>, limit: RateLimit) =>
  jobs.type === 'postgres' ? createSharedLimiter(db, limit) : createOwnLimiter(limit);

export const createOwnLimiter = ({ name, pointsAMinute }: RateLimit): RateLimiter =>
  limiterOn(new RateLimiterMemory({ points: pointsAMinute, duration: MINUTE_S, keyPrefix: name }));

const createSharedLimiter = (db: Database, { name, pointsAMinute: points }: RateLimit): RateLimiter =>
  limiterOn(
    new RateLimiterDrizzle({
      storeClient: db,
      schema: rateLimits,
      points,
      duration: MINUTE_S,
      keyPrefix: name,
      // Further calls of a caller who is refused cost the database nothing.
      inMemoryBlockOnConsumed: points + 1,
      // While the database does not answer, each node counts for itself.
      insuranceLimiter: new RateLimiterMemory({ points, duration: MINUTE_S, keyPrefix: name }),
      clearExpiredByTimeout: false,
    }),
  );

function limiterOn(limiter: RateLimiterDrizzle | RateLimiterMemory): RateLimiter {
  return {
    async consume(key, points = 1) {
      try {
        await limiter.consume(hashed(key), points);
        return null;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      }
    },
    reward: async (key) => void (await limiter.reward(hashed(key))),
  };
}

/** Addresses and account ids do not stand in the table. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Deletes counts whose minute is over; how many. The library counts by the machine's clock, whatever the program's is. */
export async function forgetOldCounts({ db }: { db: Database }): Promise<number> {
  return (
    await db
      .delete(rateLimits)
      .where(lt(rateLimits.expire, sql`now()`))
      .returning({ key: rateLimits.key })
  ).length;
}
