/**
 * The sentence that opens Progress: what has improved most since the learner began, or how much practice is needed to
 * tell.
 */
import type { ProgressSound, ProgressView } from '@parley/contract';
import { SCORE_DIMENSIONS, type ScoreDimension } from '@parley/domain';

export type Headline =
  /** Too few spoken sessions to compare. */
  | { kind: 'early'; measured: number }
  | { kind: 'steady' }
  | { kind: 'moved'; dimension: ScoreDimension; points: number };

/** Smaller changes in a mean of five sessions are noise. */
const MIN_POINTS = 3;
const MIN_SOUND_POINTS = 5;

export function headlineOf({ trends }: Pick<ProgressView, 'trends'>): Headline {
  const changes = SCORE_DIMENSIONS.flatMap((dimension) => {
    const { latest, began } = trends[dimension];
    // The plot shows both means as whole numbers, so the difference is between those.
    return latest === null || began === null ? [] : [{ dimension, points: Math.round(latest) - Math.round(began) }];
  }).toSorted((a, b) => b.points - a.points);
  const [best, worst] = [changes.at(0), changes.at(-1)];
  if (best === undefined || worst === undefined)
    return { kind: 'early', measured: Math.max(...SCORE_DIMENSIONS.map((dimension) => trends[dimension].measured)) };
  if (best.points >= MIN_POINTS) return { kind: 'moved', ...best };
  return worst.points <= -MIN_POINTS ? { kind: 'moved', ...worst } : { kind: 'steady' };
}

/** The sound that improved most since the learner began; null when none clearly did. */
export function mostImprovedSound(sounds: readonly ProgressSound[]): ProgressSound | null {
  const gain = ({ accuracy, began }: ProgressSound): number => (began === null ? 0 : accuracy - began);
  const [best] = sounds.toSorted((a, b) => gain(b) - gain(a));
  return best !== undefined && gain(best) >= MIN_SOUND_POINTS ? best : null;
}
