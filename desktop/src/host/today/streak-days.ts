/** Counts the learner's days of practice in a row. */
import { dayBefore, type LocalDay } from '@parley/domain';

/** Missed days that do not break a streak. */
const FORGIVEN_DAYS = 2;

/**
 * Counts consecutive days with practice up to today. Two missed days are forgiven, and today does not count as missed.
 */
export function streakDays(practised: ReadonlySet<LocalDay>, today: LocalDay): number {
  let days = practised.has(today) ? 1 : 0;
  let missed = 0;
  for (let day = dayBefore(today); missed <= FORGIVEN_DAYS; day = dayBefore(day)) {
    if (practised.has(day)) days += 1;
    else missed += 1;
  }
  return days;
}
