/** Calendar days in a learner's time zone. */
import { cachePerTimeZone } from './cache-per-time-zone.ts';

/** For example `2026-11-21`. */
export type LocalDay = string;

export type ToLocalDay = (at: Date) => LocalDay;

/** Returns a function that maps a time to its calendar day. Throws a `RangeError` for an unknown time zone. */
export const localDayFormatter: (timeZone: string) => ToLocalDay = cachePerTimeZone<ToLocalDay>((timeZone) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  // The format writes the year 202 with three digits, but an ISO day has at least four.
  return (at) => format.format(at).padStart('YYYY-MM-DD'.length, '0');
});

/** An upper bound on the length of a calendar day, whatever clock changes it contains. */
const LONGEST_DAY_MS = 50 * 3_600_000;

/**
 * Returns the start of the next calendar day in the time zone. It uses binary search, because some days have no midnight and some do not
 * have 24 hours.
 */
export function nextLocalDay(after: Date, timeZone: string): Date {
  const dayOf = localDayFormatter(timeZone);
  const today = dayOf(after);
  let lastMs = after.getTime();
  let nextMs = lastMs + LONGEST_DAY_MS;
  while (nextMs - lastMs > 1) {
    const middleMs = Math.floor((lastMs + nextMs) / 2);
    if (dayOf(new Date(middleMs)) > today) nextMs = middleMs;
    else lastMs = middleMs;
  }
  return new Date(nextMs);
}

const DAY_MS = 86_400_000;

// Calendar arithmetic uses UTC, in which every day has 24 hours.
const asUtc = (day: LocalDay): number => Date.parse(`${day}T00:00:00Z`);
const fromUtc = (ms: number): LocalDay => new Date(ms).toISOString().slice(0, 10);

export const dayBefore = (day: LocalDay): LocalDay => fromUtc(asUtc(day) - DAY_MS);

/** Returns the Monday of a day's week. */
export function mondayOf(day: LocalDay): LocalDay {
  const daysSinceMonday = (new Date(asUtc(day)).getUTCDay() + 6) % 7;
  return fromUtc(asUtc(day) - daysSinceMonday * DAY_MS);
}

/** The days from Monday to Sunday of this day's week. */
export const weekOf = (day: LocalDay): LocalDay[] =>
  Array.from({ length: 7 }, (_, index) => fromUtc(asUtc(mondayOf(day)) + index * DAY_MS));

/** The given number of days, oldest first, up to and including `last`. */
export const daysUpTo = (last: LocalDay, count: number): LocalDay[] =>
  Array.from({ length: count }, (_, index) => fromUtc(asUtc(last) - (count - 1 - index) * DAY_MS));
