/** When it is day where a learner is: between 09:00 and 20:00 on their own clock. */

const DAY_FROM_MIN = 9 * 60;
const DAY_UNTIL_MIN = 20 * 60;
/** Every clock on earth is some quarters of an hour from UTC, before and after it is changed. */
const QUARTER_MS = 15 * 60_000;

const formatByZone = new Map<string, Intl.DateTimeFormat>();

/** A formatter is costly, so there is one a zone. Throws a `RangeError` for a zone that nobody knows. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatByZone.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formatByZone.set(timeZone, made);
  return made;
}

export function isKnownTimeZone(timeZone: string): boolean {
  try {
    clockOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

export function isDaytime(at: Date, timeZone: string): boolean {
  const [hour = 0, minute = 0] = clockOf(timeZone).format(at).split(':').map(Number);
  const minutes = hour * 60 + minute;
  return minutes >= DAY_FROM_MIN && minutes < DAY_UNTIL_MIN;
}

/** The next beginning of a quarter of an hour in which it is day; looked for, not reckoned, since clocks are changed at night. */
export function nextDaytime(after: Date, timeZone: string): Date {
  let ms = Math.ceil((after.getTime() + 1) / QUARTER_MS) * QUARTER_MS;
  while (!isDaytime(new Date(ms), timeZone)) ms += QUARTER_MS;
  return new Date(ms);
}
