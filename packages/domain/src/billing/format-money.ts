/** Formats amounts and billing intervals for the app, the website and e-mails. */
import { assertNever } from '../assert-never.ts';
import type { PricingInterval } from '../enumerations.ts';
import type { Translate } from '../translate.ts';

/** `amount` is in the currency's smallest unit; `currency` is an ISO 4217 code. */
export function formatMoney(amount: number, currency: string, locale = 'en-GB'): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
  // Some currencies, such as the yen, have no minor unit.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export function formatInterval(
  { interval, intervalCount }: { interval: PricingInterval; intervalCount: number },
  t: Translate,
): string {
  const count = intervalCount;
  switch (interval) {
    case 'day':
      return t('{count, plural, one {a day} other {every # days}}', { count });
    case 'week':
      return t('{count, plural, one {a week} other {every # weeks}}', { count });
    case 'month':
      return t('{count, plural, one {a month} other {every # months}}', { count });
    case 'year':
      return t('{count, plural, one {a year} other {every # years}}', { count });
    default:
      return assertNever(interval);
  }
}
