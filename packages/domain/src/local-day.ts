/** Days as a learner lives them: calendar dates in their own time zone. */

/** `2026-11-21`. */
export type LocalDay = string;

export type ToLocalDay = (at: Date) => LocalDay;

/** A date's calendar day in a time zone; a formatter is costly, so it is made once. */
export function localDays(timeZone: string): ToLocalDay {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}
