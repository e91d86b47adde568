/** Prices and lengths of time as a learner reads them. */
import type { PlanOffer } from '@parley/contract';
import { countOf } from '../app/when.ts';

/** `amount` in the currency's smallest unit. */
export function moneyOf(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency.toUpperCase() });
  // Yen have no cents.
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

export const everyOf = ({ interval, intervalCount }: Pick<PlanOffer, 'interval' | 'intervalCount'>): string =>
  intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;

/** Whole minutes, as they are promised. */
export const minutesOf = (seconds: number): string =>
  `${countOf(seconds)} ${Math.floor(seconds / 60) === 1 ? 'minute' : 'minutes'}`;
