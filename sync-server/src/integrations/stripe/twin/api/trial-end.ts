/** When a trial that a call asks for ends. */
import { days } from '../billing/calendar.ts';
import { refuse } from '../refused.ts';
import type { World } from '../world.ts';

const MAX_TRIAL_DAYS = 730;

/** Null without one. */
export function trialEndOf(
  world: World,
  { trial_period_days: count, trial_end: end }: { trial_period_days?: number; trial_end?: number | 'now' },
): number | null {
  if (count !== undefined && end !== undefined)
    throw refuse('Only one of trial_period_days and trial_end can be given.', { param: 'trial_end' });
  if (count !== undefined) {
    if (count < 0 || count > MAX_TRIAL_DAYS)
      throw refuse(`Invalid integer: ${count} is not between 0 and ${MAX_TRIAL_DAYS}`, {
        code: 'parameter_invalid_integer',
        param: 'trial_period_days',
      });
    return count === 0 ? null : world.now() + days(count);
  }
  if (end === undefined || end === 'now') return null;
  if (end <= world.now()) throw refuse('A trial must end in the future.', { param: 'trial_end' });
  return end;
}
