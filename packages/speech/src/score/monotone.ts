/** Detects speech with almost no melody, and how much prosody it loses. */
import { FLAT_BELOW_SEMITONES, MIN_WORDS_FOR_PROSODY, pitchSpan } from '@parley/domain';
import type { PitchPoint } from '../signal/pitch.ts';

/** The model card gives the accuracy. */
export function isMonotone(pitch: readonly PitchPoint[], words: number): boolean {
  const span = pitchSpan([...pitch]);
  return words >= MIN_WORDS_FOR_PROSODY && span !== null && span < FLAT_BELOW_SEMITONES;
}

/** Without any melody. Near the limit, experts take little from a flat voice. */
const MOST_POINTS_LOST = 30;

/**
 * The points of prosody that a flat voice loses. The models hardly notice a flat voice, because few of the voices that
 * they learned from are flat.
 */
export function prosodyLostToFlatPitch(pitch: readonly PitchPoint[], words: number): number {
  const span = pitchSpan([...pitch]);
  if (span === null || !isMonotone(pitch, words)) return 0;
  return MOST_POINTS_LOST * (1 - span / FLAT_BELOW_SEMITONES);
}
