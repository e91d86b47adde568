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

/** Whole missing points by column id. They add up to what the rounded total is missing; rounding is settled in the largest. */
export function missingPoints(columns: readonly ScoreColumn[], total: number): ReadonlyMap<string, number> {
  const exact = columns.map(({ id, score, weight }) => ({
    id,
    points: score === null ? 0 : (weight * (100 - score)) / 100,
  }));
  const rounded = new Map(exact.map(({ id, points }) => [id, Math.round(points)]));
  const gap = 100 - Math.round(total) - [...rounded.values()].reduce((sum, points) => sum + points, 0);
  const largest = exact.toSorted((a, b) => b.points - a.points)[0];
  if (largest !== undefined) rounded.set(largest.id, Math.max(0, Math.round(largest.points) + gap));
  return rounded;
}
