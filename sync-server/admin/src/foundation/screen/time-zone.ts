/** The time zone of the days and times in the panel, which is the one that Settings shows. */
import { fromWallTime, isKnownTimeZone, toWallTime } from '@parley/domain';

/** A server's initial time zone, which Settings shows until an admin chooses another one. */
const STANDARD = 'UTC';

let schoolTimeZone = STANDARD;

/** The frame sets it before it shows a screen. */
export function setSchoolTimeZone(timeZone: string): void {
  schoolTimeZone = isKnownTimeZone(timeZone) ? timeZone : STANDARD;
}

/** Not the browser's, so that all admins see the same days, and the same as statistics have. */
export const panelTimeZone = (): string => schoolTimeZone;

/** For a field: a day, or a day and a time such as `2026-11-21T09:05`. */
export const toFieldTime = (iso: string): string => toWallTime(new Date(iso), panelTimeZone());
export const toFieldDay = (iso: string): string => toFieldTime(iso).slice(0, 10);

export const fromFieldTime = (time: string): string => fromWallTime(time, panelTimeZone()).toISOString();

/** The last second of a day, because a course that is due on a day may be finished on it. */
export const endOfDay = (day: string): string =>
  new Date(fromWallTime(`${day}T23:59`, panelTimeZone()).getTime() + 59_000).toISOString();
