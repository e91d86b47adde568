/** Formats the learner's calendar days, which are independent of time zones. */
import { formatLocale } from '@parley/i18n';

const atUtc = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** For example "22 Nov". */
export const formatShortDay = (day: string): string =>
  atUtc(day).toLocaleDateString(formatLocale(), { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** For example "22 November 2026". */
export const formatLongDay = (day: string): string =>
  atUtc(day).toLocaleDateString(formatLocale(), { timeZone: 'UTC', dateStyle: 'long' });

/**
 * Does the same for the time of a session, in this computer's time zone. A trend over years shows months: "Jul 2023".
 */
export const formatShortDate = (at: Date, { withYear = false }: { withYear?: boolean } = {}): string =>
  at.toLocaleDateString(
    formatLocale(),
    withYear ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  );

export const formatDate = (at: Date): string => at.toLocaleDateString(formatLocale(), { dateStyle: 'medium' });

export const formatNumber = (value: number): string => Math.round(value).toLocaleString(formatLocale());
