/** The columns of a score field, and the points that each one is missing. */

export interface ScoreColumn {
  id: string;
  name: string;
  /** 0-100, or null when it was not measured. */
  score: number | null;
  /** Percent of the total; the weights of the measured columns add up to 100. */
  weight: number;
  /** Draws the column in this many steps, one for each objective. */
  steps?: number;
  /** Why there is no score. */
  whyNot?: string;
}

/**
 * Whole missing points by column id. They add up to what the rounded total is missing: each column gets its whole
 * points, and the columns with the largest fractions get the points that remain.
 */
export function missingPoints(columns: readonly ScoreColumn[], total: number): ReadonlyMap<string, number> {
  const exact = columns.map(({ id, score, weight }) => ({
    id,
    points: score === null ? 0 : (weight * (100 - score)) / 100,
  }));
  const whole = new Map(exact.map(({ id, points }) => [id, Math.floor(points)]));
  const add = (id: string, points: number): void => {
    whole.set(id, Math.max(0, (whole.get(id) ?? 0) + points));
  };
  const gap = 100 - Math.round(total) - [...whole.values()].reduce((sum, points) => sum + points, 0);
  const byFraction = exact
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => (b.points % 1) - (a.points % 1) || b.points - a.points);
  const extra = byFraction.slice(0, Math.max(0, gap));
  for (const { id } of extra) add(id, 1);
  // The rest is zero, unless the total was computed from other scores than these.
  const largest = exact.toSorted((a, b) => b.points - a.points)[0];
  if (largest !== undefined) add(largest.id, gap - extra.length);
  return whole;
}
