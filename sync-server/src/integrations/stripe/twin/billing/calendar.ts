/** When a period ends: counted from the anchor, so that the 31st comes back after a short month. */
const DAY_S = 86_400;

export interface Rhythm {
  interval: string;
  interval_count: number;
}

/** The first end of a period after the given moment. */
export function nextPeriodEnd(anchorS: number, rhythm: Rhythm, afterS: number): number {
  let count = Math.max(0, Math.floor((afterS - anchorS) / longestS(rhythm)));
  while (periodEnd(anchorS, rhythm, count) <= afterS) count += 1;
  return periodEnd(anchorS, rhythm, count);
}

const longestS = ({ interval, interval_count: count }: Rhythm): number =>
  count * DAY_S * ({ day: 1, week: 7, month: 31, year: 366 }[interval] ?? 1);

export function periodEnd(anchorS: number, { interval, interval_count: each }: Rhythm, count: number): number {
  if (interval === 'day') return anchorS + count * each * DAY_S;
  if (interval === 'week') return anchorS + count * each * 7 * DAY_S;
  return plusMonths(anchorS, count * each * (interval === 'year' ? 12 : 1));
}

function plusMonths(fromS: number, months: number): number {
  const from = new Date(fromS * 1_000);
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(moved.getTime() / 1_000);
}

export const days = (count: number): number => count * DAY_S;
