/** Days as a learner lives them: calendar dates in their own time zone. */

/** `2026-11-21`. */
export type LocalDay = string;

export type ToLocalDay = (at: Date) => LocalDay;

const dayByZone = new Map<string, ToLocalDay>();

/** A date's calendar day in a time zone; a formatter is costly, so there is one a zone. */
export function localDays(timeZone: string): ToLocalDay {
  const known = dayByZone.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const toDay: ToLocalDay = (at) => format.format(at);
  dayByZone.set(timeZone, toDay);
  return toDay;
}

/** No calendar day is longer, whatever clocks are changed in it. */
const LONGEST_DAY_MS = 50 * 3_600_000;

/** When the next calendar day begins there. Looked for, not reckoned: some days have no midnight, and not all have 24 hours. */
export function nextLocalDay(after: Date, timeZone: string): Date {
  const dayOf = localDays(timeZone);
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
