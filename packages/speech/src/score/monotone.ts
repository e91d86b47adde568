/** Speech whose melody hardly moves. */
import type { PitchPoint } from '../signal/pitch.ts';

const MIN_WORDS = 5;
/** Voiced time without which nothing can be said of a melody: points of 20 ms. */
const MIN_POINTS = 50;
/** Semitones between the tenth and the ninetieth part of the pitch; see the model card for how often that is right. */
const FLAT_BELOW_SEMITONES = 2.2;

/** Semitones that the pitch spans, its outer tenths left out; null when too little was voiced. */
export function pitchSpan(pitch: readonly PitchPoint[]): number | null {
  if (pitch.length < MIN_POINTS) return null;
  const sorted = pitch.map(({ hz }) => 12 * Math.log2(hz)).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.9) - at(0.1);
}

export function isMonotone(pitch: readonly PitchPoint[], words: number): boolean {
  const span = pitchSpan(pitch);
  return words >= MIN_WORDS && span !== null && span < FLAT_BELOW_SEMITONES;
}
