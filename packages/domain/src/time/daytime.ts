/** Daytime in a learner's time zone is between 09:00 and 20:00 local time. */
import { cachePerTimeZone } from './cache-per-time-zone.ts';

const DAY_FROM_MIN = 9 * 60;
const DAY_UNTIL_MIN = 20 * 60;
/** Every UTC offset is a multiple of fifteen minutes, before and after a clock change. */
const QUARTER_HOUR_MS = 15 * 60_000;

const timeFormatFor = cachePerTimeZone(
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);

/** For example `09:05`. Throws a `RangeError` for an unknown time zone. */
export const localTimeOf = (at: Date, timeZone: string): string => timeFormatFor(timeZone).format(at);

export function isKnownTimeZone(timeZone: string): boolean {
  try {
    timeFormatFor(timeZone);
    return true;
  } catch {
    return false;
  }
}

export function isDaytime(at: Date, timeZone: string): boolean {
  const [hour = 0, minute = 0] = localTimeOf(at, timeZone).split(':').map(Number);
  const minutes = hour * 60 + minute;
  return minutes >= DAY_FROM_MIN && minutes < DAY_UNTIL_MIN;
}

/** Returns the next quarter of an hour that falls in daytime. It searches step by step because clocks change at night. */
export function nextDaytime(after: Date, timeZone: string): Date {
  let ms = Math.ceil((after.getTime() + 1) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  while (!isDaytime(new Date(ms), timeZone)) ms += QUARTER_HOUR_MS;
  return new Date(ms);
}
