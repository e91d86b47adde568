/** Formats dates, numbers, money and names. */
import { type EnglishLevel, fullName, keepSignInPlace, localDayFormatter } from '@parley/domain';
import { formatLocale, t } from '@parley/i18n';
import { panelTimeZone } from './time-zone.ts';

export const formatDay = (iso: string, timeZone = panelTimeZone()): string =>
  new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeZone }).format(new Date(iso));

export const formatDateTime = (iso: string): string =>
  new Intl.DateTimeFormat(formatLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: panelTimeZone(),
  }).format(new Date(iso));

export const formatNumber = (value: number): string => value.toLocaleString(formatLocale());

/** `share` is from 0 to 1. */
export const formatShare = (share: number): string =>
  share.toLocaleString(formatLocale(), { style: 'percent', maximumFractionDigits: 0 });

/** A dash when nothing was measured. */
export const formatScore = (score: number | null): string => (score === null ? '–' : String(Math.round(score)));

/** Costs come in millionths of a US dollar. */
export const formatCost = (micros: number): string =>
  keepSignInPlace(
    new Intl.NumberFormat(formatLocale(), {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
    }).format(micros / 1_000_000),
  );

/** For example `4:05` or `1:02:30`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${hours === 0 ? minutes : `${hours}:${pad(minutes)}`}:${pad(whole % 60)}`;
}

const DAY_MS = 24 * 3_600_000;

/** `today`, `yesterday`, `5 days ago`, or the day. Ten in the evening is yesterday on the next morning. */
export function formatAge(iso: string): string {
  const dayOf = localDayFormatter(panelTimeZone());
  const days = (Date.parse(dayOf(new Date())) - Date.parse(dayOf(new Date(iso)))) / DAY_MS;
  return days < 30
    ? new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(-Math.max(0, days), 'day')
    : formatDay(iso);
}

/** For a phrase that stands alone, as in a list. */
export const capitalise = (phrase: string): string =>
  phrase.charAt(0).toLocaleUpperCase(formatLocale()) + phrase.slice(1);

/** The full name, or the address, or a generic word. */
export const personName = (person: {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}): string => fullName(person) ?? person.email ?? t('A learner without an address');

export const LEVEL_NAMES: Readonly<Record<EnglishLevel, string>> = {
  beginner: t('Beginner'),
  intermediate: t('Intermediate'),
  advanced: t('Advanced'),
};
