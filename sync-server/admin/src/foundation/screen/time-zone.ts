/** The time zone of the days and times in the panel. */
import { fromWallTime, isKnownTimeZone, toWallTime } from '@parley/domain';

/** What a server starts with. It does not say where the school is. */
const NOT_CHOSEN = 'UTC';

let schoolTimeZone = NOT_CHOSEN;

/** The frame sets it before it shows a screen. */
export function setSchoolTimeZone(timeZone: string): void {
  schoolTimeZone = isKnownTimeZone(timeZone) ? timeZone : NOT_CHOSEN;
}

/** The school's, so that all admins see the same days; until the school has chosen one, the browser's. */
export const panelTimeZone = (): string =>
  schoolTimeZone === NOT_CHOSEN ? new Intl.DateTimeFormat().resolvedOptions().timeZone : schoolTimeZone;

/** For a field: a day, or a day and a time such as `2026-11-21T09:05`. */
export const toFieldTime = (iso: string): string => toWallTime(new Date(iso), panelTimeZone());
export const toFieldDay = (iso: string): string => toFieldTime(iso).slice(0, 10);

export const fromFieldTime = (time: string): string => fromWallTime(time, panelTimeZone()).toISOString();

/** The last second of a day, because a course that is due on a day may be finished on it. */
export const endOfDay = (day: string): string =>
  new Date(fromWallTime(`${day}T23:59`, panelTimeZone()).getTime() + 59_000).toISOString();
