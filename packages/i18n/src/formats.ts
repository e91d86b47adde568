/** Lists, numbers and sizes as readers of a language write them. */
const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export interface Formats {
  /** For example `1, 2, 3`. */
  formatList: (items: readonly string[]) => string;
  /** With one digit after the decimal point, for example `1.3 seconds`. */
  formatSeconds: (seconds: number) => string;
  /** For example `12 MB`. */
  formatBytes: (bytes: number) => string;
}

export const formatsOf = (locale: string): Formats => ({
  formatList: (items) => new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(items),
  formatSeconds: (seconds) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: 'second',
      unitDisplay: 'long',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }).format(seconds),
  formatBytes: (bytes) => {
    const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
    return new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: BYTE_UNITS[step] ?? 'byte',
      maximumSignificantDigits: 3,
    }).format(bytes / 1_000 ** step);
  },
});
