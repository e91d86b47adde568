/** Measures how much the spectrum of a recording changes, because a voice always changes it and a fan, hum or held tones do not. */
import type { AudioReport } from './inspect.ts';
import { type LogMel, logMel, MEL_BANDS } from './log-mel.ts';
import { prepareSpeech } from './prepare-speech.ts';

/** A sound that changes less is no voice, unless it is a held vowel; of 620 recordings of speech, none does. */
export const MIN_CHANGE_DB = 1.5;

/** Bands are grouped, because a single band of a steady noise fluctuates too. */
const BANDS_PER_GROUP = 4;
const GROUPS = MEL_BANDS / BANDS_PER_GROUP;
/** Frames that are quieter than the loudest one by more than this are ignored. */
const ACTIVE_DB = 20;
/** Weaker groups are inaudible beside the others. */
const WEAKEST_DB = -35;

const toDb = (energy: number): number => 10 * Math.log10(energy);

/** A steady sound has no gaps, as there are between syllables. */
const MIN_SHARE_OF_STEADY_SOUND = 0.95;

/** Whether 16 kHz samples contain nothing but a steady sound, such as hum, even if it begins late. */
export function isSteadySound(pcm: Float32Array, { speechMs, speechSpan }: AudioReport): boolean {
  if (speechSpan === null) return false;
  const isUnbroken = speechMs >= MIN_SHARE_OF_STEADY_SOUND * (speechSpan.endMs - speechSpan.startMs);
  return isUnbroken && spectralChangeDb(logMel(prepareSpeech(pcm, { speechSpan }).pcm)) < MIN_CHANGE_DB;
}

/** The distance in dB from the median spectrum that a quarter of the loud frames reach. The level of a frame does not matter. */
export function spectralChangeDb({ frames, values }: LogMel): number {
  const energies = Array.from({ length: frames }, (_, frame) =>
    Array.from({ length: GROUPS }, (_group, group) =>
      values
        .subarray(frame * MEL_BANDS + group * BANDS_PER_GROUP, frame * MEL_BANDS + (group + 1) * BANDS_PER_GROUP)
        .reduce((sum, value) => sum + Math.exp(value), 0),
    ),
  );
  const levels = energies.map((groups) => toDb(groups.reduce((sum, energy) => sum + energy, 0)));
  const loudest = levels.reduce((max, level) => Math.max(max, level), -Infinity);
  const shapes = energies.flatMap((groups, frame) => {
    const level = levels[frame] ?? -Infinity;
    return level < loudest - ACTIVE_DB ? [] : [groups.map((energy) => Math.max(WEAKEST_DB, toDb(energy) - level))];
  });
  const usual = Array.from({ length: GROUPS }, (_, group) =>
    quantile(
      shapes.map((shape) => shape[group] ?? WEAKEST_DB),
      0.5,
    ),
  );
  const changes = shapes.map((shape) =>
    Math.sqrt(shape.reduce((sum, db, group) => sum + (db - (usual[group] ?? 0)) ** 2, 0) / GROUPS),
  );
  return quantile(changes, 0.75);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
