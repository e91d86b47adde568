/** Formats amounts and billing intervals for the app, the website and e-mails. */
import { assertNever } from '../assert-never.ts';
import type { Translate } from '../translate.ts';
import type { BillingInterval } from './plans.ts';

/**
 * Currencies whose smallest unit in the payment provider's amounts is not a hundredth
 * (https://docs.stripe.com/currencies). The tables of `Intl` describe how amounts are usually written, which differs:
 * there, a forint has no minor unit, whereas here it has hundredths.
 */
const DIGITS_BY_CURRENCY: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** `amount` is in the currency's smallest unit at the payment provider; `currency` is an ISO 4217 code. */
export function formatMoney(amount: number, currency: string, locale = 'en-GB'): string {
  const code = currency.toUpperCase();
  const digits = DIGITS_BY_CURRENCY.get(code) ?? 2;
  const value = amount / 10 ** digits;
  // An amount with a fraction is never rounded, even if its currency is usually written without one.
  const fraction = Number.isInteger(value) ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return keepSignInPlace(
    new Intl.NumberFormat(locale, { style: 'currency', currency: code, ...fraction }).format(value),
  );
}

/** In an amount from right to left, the sign of “US$” would change sides with its letters; a mark keeps it behind them. */
export const keepSignInPlace = (amount: string): string =>
  amount.startsWith('\u200F') ? amount.replace(/\p{L}\p{Sc}/u, '$&\u200E') : amount;

export function formatInterval({ interval, intervalCount }: BillingInterval, t: Translate): string {
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
