/** Detects speech with almost no melody. */
import { FLAT_BELOW_SEMITONES, MIN_WORDS_FOR_PROSODY, pitchSpan } from '@parley/domain';
import type { PitchPoint } from '../signal/pitch.ts';

/** The model card gives the accuracy. */
export function isMonotone(pitch: readonly PitchPoint[], words: number): boolean {
  const span = pitchSpan([...pitch]);
  return words >= MIN_WORDS_FOR_PROSODY && span !== null && span < FLAT_BELOW_SEMITONES;
}
