/** Limits how many requests and changes one account may send per minute, across all its devices. */
import type { DatabaseConnection } from '../../db/client.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface AccountRateLimits {
  /** Returns the seconds to wait when the limit is reached, or null when the request is admitted. */
  consumeAllowance: (userId: string, asked: { changes: number }) => Promise<number | null>;
}

export interface LimitsPerMinute {
  requests: number;
  changes: number;
}

/** A device that was offline for a year sends 20,000 changes in 40 requests when it reconnects. */
export const ACCOUNT_LIMITS_PER_MINUTE: LimitsPerMinute = { requests: 1_200, changes: 60_000 };

export function createAccountRateLimits(
  database: Pick<DatabaseConnection, 'db' | 'jobs'>,
  { requests, changes }: LimitsPerMinute,
): AccountRateLimits {
  const requestLimiter = createRateLimiter(database, { name: 'calls', pointsPerMinute: requests });
  const changeLimiter = createRateLimiter(database, { name: 'changes', pointsPerMinute: changes });
  return {
    async consumeAllowance(userId, asked) {
      const waitSeconds = await requestLimiter.consume(userId);
      if (waitSeconds !== null || asked.changes === 0) return waitSeconds;
      return changeLimiter.consume(userId, asked.changes);
    },
  };
}
