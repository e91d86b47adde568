/** Amounts and how often they are paid, as everybody reads them: in the app, on the web, and in e-mails. */
import type { PricingInterval } from './enumerations.ts';

/** `amount` in the currency's smallest unit; `currency` by ISO 4217. */
export function moneyOf(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() });
  // Yen have no cents.
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export const everyOf = ({ interval, intervalCount }: { interval: PricingInterval; intervalCount: number }): string =>
  intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
