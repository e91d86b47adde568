/** Summaries of measured values; 0 when there are none. */

type Values = readonly number[] | Float64Array;

export function mean(values: Values): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

export function deviation(values: Values): number {
  const average = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - average) ** 2;
  return values.length === 0 ? 0 : Math.sqrt(squares / values.length);
}

/** Interpolates between sorted values. */
export function quantile(sorted: Values, share: number): number {
  if (sorted.length === 0) return 0;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
