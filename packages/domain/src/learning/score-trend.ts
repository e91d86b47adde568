/** The trend of one dimension: a point for each session in which it was measured, and a running mean. */

/** The mean at a point covers this session and the four before it. */
const RUNNING_MEAN_OF = 5;
/** With fewer points than this, no line is drawn. */
export const MIN_TREND_LINE_POINTS: number = 3;

export interface TrendPoint {
  sessionId: string;
  at: Date;
  /** 0-100. */
  score: number;
  /** The mean of this session and up to four before it. */
  mean: number;
}

export interface Trend {
  /**
   * The points of the range, oldest first. If there are many sessions, evenly spaced ones are chosen, always including
   * the newest.
   */
  points: TrendPoint[];
  /** Sessions of the range in which the dimension was measured, whether they are among the points or not. */
  inRange: number;
  /** The same for all sessions. */
  measured: number;
  /** The mean of the latest five sessions; null when the dimension was never measured. */
  latest: number | null;
  /** The mean of the first five; null while they overlap with the latest five. */
  began: number | null;
}

const meanOf = (scores: readonly number[]): number =>
  Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 10) / 10;

/** Chooses `count` of the indexes below `length`, evenly spaced and including the last one. */
const evenIndexes = (length: number, count: number): number[] =>
  length <= count
    ? Array.from({ length }, (_, index) => index)
    : Array.from({ length: count }, (_, index) => Math.round(((index + 1) * length) / count) - 1);

interface ScoredSession {
  sessionId: string;
  at: Date;
  score: number | null;
}

/**
 * `sessions` are oldest first; those without a score were not measured and have no point. `isShown` selects the range.
 */
export function scoreTrend<Session extends ScoredSession>(
  sessions: readonly Session[],
  { maxPoints, isShown = () => true }: { maxPoints: number; isShown?: (session: Session) => boolean },
): Trend {
  const measured = sessions.filter((session): session is Session & { score: number } => session.score !== null);
  const scores = measured.map(({ score }) => score);
  const inRange = measured.flatMap((session, index) => (isShown(session) ? [index] : []));
  const points = evenIndexes(inRange.length, maxPoints).flatMap((place): TrendPoint[] => {
    const index = inRange[place] ?? 0;
    const session = measured[index];
    if (session === undefined) return [];
    const { sessionId, at, score } = session;
    return [{ sessionId, at, score, mean: meanOf(scores.slice(Math.max(0, index - RUNNING_MEAN_OF + 1), index + 1)) }];
  });
  return {
    points,
    inRange: inRange.length,
    measured: measured.length,
    latest: scores.length === 0 ? null : meanOf(scores.slice(-RUNNING_MEAN_OF)),
    began: scores.length < 2 * RUNNING_MEAN_OF ? null : meanOf(scores.slice(0, RUNNING_MEAN_OF)),
  };
}
