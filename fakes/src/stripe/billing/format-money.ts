/** Formats amounts and intervals for people. */
import type { PriceObject } from '../state/resources.ts';

/** `amount` is in the currency's smallest unit. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

export function formatInterval(price: PriceObject): string {
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`;
}
