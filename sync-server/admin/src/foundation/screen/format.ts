/** How dates, numbers, money and names are written. */

export const formatDay = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...(timeZone === undefined ? {} : { timeZone }) }).format(
    new Date(iso),
  );

export const formatDateTime = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

export const formatNumber = (value: number): string => value.toLocaleString('en');

/** A dash when nothing was measured. */
export const formatScore = (score: number | null): string => (score === null ? '–' : String(Math.round(score)));

/** Costs come in millionths of a US dollar. */
export const formatCost = (micros: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(micros / 1_000_000);

export const formatMoney = (minorUnits: number, currency: string): string => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** For example `12 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: BYTE_UNITS[step] ?? 'byte',
    maximumSignificantDigits: 3,
  }).format(bytes / 1_000 ** step);
}

/** For example `4:05` or `1:02:30`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${hours === 0 ? minutes : `${hours}:${pad(minutes)}`}:${pad(whole % 60)}`;
}

const DAY_MS = 24 * 3_600_000;

/** `today`, `yesterday`, `5 days ago`, or the day. */
export function formatAge(iso: string): string {
  const days = Math.floor((Date.now() - Date.parse(iso)) / DAY_MS);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days < 30 ? `${days} days ago` : formatDay(iso);
}

/** The full name, or the address, or a general word. */
export const personName = (person: {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}): string =>
  [person.firstName, person.lastName].filter((part) => part !== null && part !== '').join(' ') ||
  (person.email ?? 'A learner without an address');
