/** The day and time that a clock in a time zone shows, such as `2026-11-21T09:05`. */
import { localTimeOf } from './daytime.ts';
import { localDayFormatter } from './local-day.ts';

const DAY_MS = 86_400_000;

/**
 * The years in which a day may be chosen. Others are typing errors; in particular, a browser reports a year that is
 * still being typed, such as 0202.
 */
export const DAY_CHOICE = { first: '2000-01-01', last: '2099-12-31' } as const;
/** Also accepts a time, which begins with its day. */
export const isDayOfChoice = (day: string): boolean =>
  day.slice(0, 10) >= DAY_CHOICE.first && day.slice(0, 10) <= DAY_CHOICE.last;

/** Throws a `RangeError` for an unknown time zone. */
export const toWallTime = (at: Date, timeZone: string): string =>
  `${localDayFormatter(timeZone)(at)}T${localTimeOf(at, timeZone)}`;

/**
 * The first of two moments at which the clock shows this time; for a time that the clock skips, the same time after the
 * gap.
 */
export function fromWallTime(wallTime: string, timeZone: string): Date {
  const asUtcMs = parseAsUtc(wallTime);
  const offsetMsAt = (ms: number): number => parseAsUtc(toWallTime(new Date(ms), timeZone)) - ms;
  // A clock changes at most once within these two days.
  const [before, after] = [asUtcMs - offsetMsAt(asUtcMs - DAY_MS), asUtcMs - offsetMsAt(asUtcMs + DAY_MS)];
  const found = [before, after].find((ms) => toWallTime(new Date(ms), timeZone) === wallTime);
  return new Date(found ?? before);
}

/** A year of five or six digits, which a browser's time field accepts, needs a sign and six digits here. */
const parseAsUtc = (wallTime: string): number =>
  Date.parse(`${wallTime.replace(/^\d{5,}(?=-)/, (year) => `+${year.padStart(6, '0')}`)}Z`);
