/** Calculates the end of billing periods, counted from the anchor, so that the 31st returns after a short month. */
const DAY_S = 86_400;

export interface BillingInterval {
  interval: string;
  interval_count: number;
}

/** Returns the first end of a period after the given moment. */
export function nextPeriodEnd(anchorS: number, billingInterval: BillingInterval, afterS: number): number {
  let count = Math.max(0, Math.floor((afterS - anchorS) / maxIntervalS(billingInterval)));
  while (periodEnd(anchorS, billingInterval, count) <= afterS) count += 1;
  return periodEnd(anchorS, billingInterval, count);
}

const maxIntervalS = ({ interval, interval_count: count }: BillingInterval): number =>
  count * DAY_S * ({ day: 1, week: 7, month: 31, year: 366 }[interval] ?? 1);

export function periodEnd(
  anchorS: number,
  { interval, interval_count: intervalCount }: BillingInterval,
  count: number,
): number {
  if (interval === 'day') return anchorS + count * intervalCount * DAY_S;
  if (interval === 'week') return anchorS + count * intervalCount * 7 * DAY_S;
  return addMonths(anchorS, count * intervalCount * (interval === 'year' ? 12 : 1));
}

function addMonths(fromS: number, months: number): number {
  const from = new Date(fromS * 1_000);
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(moved.getTime() / 1_000);
}

export const daysToSeconds = (count: number): number => count * DAY_S;
