/** What one account may ask of the server in a minute, over all its devices: far more than a learner ever needs. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

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
const MINUTE_S = 60;

export function createAccountLimits({ calls, changes }: LimitsAMinute): AccountLimits {
  const callLimiter = new RateLimiterMemory({ points: calls, duration: MINUTE_S, keyPrefix: 'calls' });
  const changeLimiter = new RateLimiterMemory({ points: changes, duration: MINUTE_S, keyPrefix: 'changes' });
  return {
    async admit(userId, asked) {
      try {
        await callLimiter.consume(userId);
        if (asked.changes > 0) await changeLimiter.consume(userId, asked.changes);
        return null;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      }
    },
  };
}
