/** Calculates the end of a requested trial. */
import { daysToSeconds } from '../billing/calendar.ts';
import { invalidRequest } from '../api-error.ts';
import type { StripeStore } from '../store.ts';

const MAX_TRIAL_DAYS = 730;

/** Returns null without a trial. */
export function readTrialEnd(
  store: StripeStore,
  { trial_period_days: count, trial_end: end }: { trial_period_days?: number; trial_end?: number | 'now' },
): number | null {
  if (count !== undefined && end !== undefined)
    throw invalidRequest('Only one of trial_period_days and trial_end can be given.', { param: 'trial_end' });
  if (count !== undefined) {
    if (count < 0 || count > MAX_TRIAL_DAYS)
      throw invalidRequest(`Invalid integer: ${count} is not between 0 and ${MAX_TRIAL_DAYS}`, {
        code: 'parameter_invalid_integer',
        param: 'trial_period_days',
      });
    return count === 0 ? null : store.currentFields() + daysToSeconds(count);
  }
  if (end === undefined || end === 'now') return null;
  if (end <= store.currentFields()) throw invalidRequest('A trial must end in the future.', { param: 'trial_end' });
  return end;
}
