/** The time zone of the panel's days and times, which Settings shows. */
import { fromWallTime, isKnownTimeZone, toWallTime } from '@parley/domain';

/** A server's initial time zone, which Settings shows until an admin chooses another one. */
const STANDARD = 'UTC';

let schoolTimeZone = STANDARD;

/** The frame sets it before it renders a screen. */
export function setSchoolTimeZone(timeZone: string): void {
  schoolTimeZone = isKnownTimeZone(timeZone) ? timeZone : STANDARD;
}

/** Not the browser's time zone, so that all admins see the same days, which are also those of the statistics. */
export const panelTimeZone = (): string => schoolTimeZone;

/** For an input field: a day, or a day and a time such as `2026-11-21T09:05`. */
export const toFieldTime = (iso: string): string => toWallTime(new Date(iso), panelTimeZone());
export const toFieldDay = (iso: string): string => toFieldTime(iso).slice(0, 10);

export const fromFieldTime = (time: string): string => fromWallTime(time, panelTimeZone()).toISOString();

/** The last second of a day, because a course that is due on a day can still be finished on that day. */
export const endOfDay = (day: string): string =>
  new Date(fromWallTime(`${day}T23:59`, panelTimeZone()).getTime() + 59_000).toISOString();
