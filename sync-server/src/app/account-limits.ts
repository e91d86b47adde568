/** What one account may ask of the server in a minute, over all its devices: far more than a learner ever needs. */
import type { DatabaseConnection } from '../db/client.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface AccountLimits {
  /** Seconds to wait when it is too much; null when it is admitted. */
  admit: (userId: string, asked: { changes: number }) => Promise<number | null>;
}

export interface LimitsAMinute {
  calls: number;
  changes: number;
}

/** A device that was offline for a year sends 20,000 changes when it comes back, in 40 calls. */
export const ACCOUNT_LIMITS: LimitsAMinute = { calls: 1_200, changes: 60_000 };

export function createAccountLimits(
  database: Pick<DatabaseConnection, 'db' | 'jobs'>,
  { calls, changes }: LimitsAMinute,
): AccountLimits {
  const callLimiter = createRateLimiter(database, { name: 'calls', pointsAMinute: calls });
  const changeLimiter = createRateLimiter(database, { name: 'changes', pointsAMinute: changes });
  return {
    async admit(userId, asked) {
      const waitSeconds = await callLimiter.consume(userId);
      if (waitSeconds !== null || asked.changes === 0) return waitSeconds;
      return changeLimiter.consume(userId, asked.changes);
    },
  };
}
