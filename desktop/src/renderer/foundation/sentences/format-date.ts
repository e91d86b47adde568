/** Formats dates and durations for the learner. */
import { formatLocale, t } from '@parley/i18n';

/** Day and time in the learner's time zone. */
export const formatDateTime = (iso: string): string =>
  new Date(iso).toLocaleString(formatLocale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });

export const formatDate = (iso: string): string =>
  new Date(iso).toLocaleDateString(formatLocale(), { dateStyle: 'long' });

/** Whole minutes, rounded down so that the app never promises too much; without the unit. */
export const formatMinuteCount = (seconds: number): string => Math.floor(seconds / 60).toLocaleString(formatLocale());

export const formatMinutes = (seconds: number): string =>
  t('{count, plural, one {# minute} other {# minutes}}', { count: Math.floor(seconds / 60) });
