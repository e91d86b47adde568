/** Arithmetic with days as the learner lives them. */
import type { LocalDay } from '@parley/domain';

const DAY_MS = 86_400_000;

// Calendar arithmetic on dates alone happens in UTC, where no day has 23 or 25 hours.
const asUtc = (day: LocalDay): number => Date.parse(`${day}T00:00:00Z`);
const fromUtc = (ms: number): LocalDay => new Date(ms).toISOString().slice(0, 10);

export const dayBefore = (day: LocalDay): LocalDay => fromUtc(asUtc(day) - DAY_MS);

/** The Monday of a day's week. */
export function mondayOf(day: LocalDay): LocalDay {
  const daysSinceMonday = (new Date(asUtc(day)).getUTCDay() + 6) % 7;
  return fromUtc(asUtc(day) - daysSinceMonday * DAY_MS);
}

/** Missed days that do not break a streak. */
const FREEZES = 2;

/** Days in a row with practice, up to today; two missed days are forgiven, and today is not missed before it is over. */
export function streakDays(practised: ReadonlySet<LocalDay>, today: LocalDay): number {
  let days = practised.has(today) ? 1 : 0;
  let missed = 0;
  for (let day = dayBefore(today); missed <= FREEZES; day = dayBefore(day)) {
    if (practised.has(day)) days += 1;
    else missed += 1;
  }
  return days;
}
