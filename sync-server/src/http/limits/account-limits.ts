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

/** The share of a limit that a node takes at once from the counter that all nodes share. */
const SHARE_OF_BLOCK = 0.02;

export function createAccountRateLimits(
  database: Pick<DatabaseConnection, 'db' | 'jobs'>,
  { requests, changes }: LimitsPerMinute,
): AccountRateLimits {
  const createLimiter = (name: string, pointsPerMinute: number) =>
    createRateLimiter(database, { name, pointsPerMinute, blockOf: Math.ceil(pointsPerMinute * SHARE_OF_BLOCK) });
  const requestLimiter = createLimiter('calls', requests);
  const changeLimiter = createLimiter('changes', changes);
  return {
    async consumeAllowance(userId, asked) {
      const waitSeconds = await requestLimiter.consume(userId);
      if (waitSeconds !== null || asked.changes === 0) return waitSeconds;
      return changeLimiter.consume(userId, asked.changes);
    },
  };
}
