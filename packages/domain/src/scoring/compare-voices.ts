/**
 * Scores how closely a voice follows a model in melody and rhythm. Melody is the correlation of the two pitch contours
 * inside the words that both said; rhythm is the correlation of the times from each word to the next. Neither depends
 * on how high or how fast a voice is.
 */
import { isSpokenWord, pairWords, type VoiceTrack } from './align-voices.ts';
import { MIN_WORDS_FOR_PROSODY, roundScore } from './scores.ts';
import type { Assessment, WordAssessment } from './assessment.ts';

/** A smaller range between the 10th and 90th percentile sounds flat; the speech model's card gives the accuracy. */
export const FLAT_BELOW_SEMITONES: number = 2.2;
/** One second of voiced sound, in points of 20 ms. */
const MIN_PITCH_POINTS = 50;

/** The pitch range of a voice in semitones, without the outermost tenths; null if too little was voiced. */
export function pitchSpan(pitch: Assessment['pitch']): number | null {
  if (pitch.length < MIN_PITCH_POINTS) return null;
  const sorted = pitch.map(({ hz }) => toSemitones(hz)).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.9) - at(0.1);
}

/** Why a comparison was not measured: the model cannot serve as one, too little was said or voiced, or the recording was not scored. */
export type NotCompared = 'model_flat' | 'model_unclear' | 'too_short' | 'unvoiced' | 'not_scored';

export type ComparedScore = { score: number; whyNot: null } | { score: null; whyNot: NotCompared };

export interface VoiceComparison {
  melody: ComparedScore;
  rhythm: ComparedScore;
}

const notCompared = (whyNot: NotCompared): ComparedScore => ({ score: null, whyNot });

/** A flat voice has no melody or rhythm to follow, so nothing is scored against it. */
export function modelFault(model: VoiceTrack & Pick<Assessment, 'unusable'>): NotCompared | null {
  if (model.unusable !== undefined || model.words.length === 0) return 'model_unclear';
  const span = pitchSpan(model.pitch);
  if (span === null) return 'unvoiced';
  return span < FLAT_BELOW_SEMITONES ? 'model_flat' : null;
}

type ComparedTrack = VoiceTrack & Pick<Assessment, 'unusable'>;

export function compareVoices(model: ComparedTrack, own: ComparedTrack): VoiceComparison {
  const fault = modelFault(model) ?? (own.unusable === undefined ? null : 'not_scored');
  if (fault !== null) return { melody: notCompared(fault), rhythm: notCompared(fault) };
  const pairs = pairWords(model.words, own.words).flatMap(({ model: one, own: other }): WordPair[] =>
    one !== null && other !== null && isSpokenWord(one) && isSpokenWord(other) ? [{ model: one, own: other }] : [],
  );
  if (pairs.length < MIN_WORDS_FOR_PROSODY)
    return { melody: notCompared('too_short'), rhythm: notCompared('too_short') };
  return { melody: compareMelody(pairs, { model, own }), rhythm: compareRhythm(pairs) };
}

type WordPair = Record<'model' | 'own', WordAssessment>;

/** The pitch is sampled at this many positions in each word. */
const SAMPLES_PER_WORD = 10;
const MIN_SAMPLES = 25;
const NEAREST_POINT_MS = 40;
/** A voice with at least this share of the model's range counts as following it fully. */
const FULL_RANGE_SHARE = 0.5;

function compareMelody(pairs: readonly WordPair[], tracks: Record<'model' | 'own', VoiceTrack>): ComparedScore {
  const span = { model: pitchSpan(tracks.model.pitch), own: pitchSpan(tracks.own.pitch) };
  const samples = pairs.flatMap((pair) =>
    Array.from({ length: SAMPLES_PER_WORD }, (_, index): readonly [number, number] | null => {
      const share = (index + 0.5) / SAMPLES_PER_WORD;
      const model = pitchAt(tracks.model.pitch, placeIn(pair.model, share));
      const own = pitchAt(tracks.own.pitch, placeIn(pair.own, share));
      return model === null || own === null ? null : [model, own];
    }).filter((sample) => sample !== null),
  );
  if (samples.length < MIN_SAMPLES || span.model === null || span.own === null) return notCompared('unvoiced');
  const range = Math.min(1, span.own / (span.model * FULL_RANGE_SHARE));
  return { score: roundScore(100 * Math.max(0, correlation(samples)) * range), whyNot: null };
}

const placeIn = ({ startMs, endMs }: WordAssessment, share: number): number => startMs + share * (endMs - startMs);

const toSemitones = (hz: number): number => 12 * Math.log2(hz);

/** The pitch in semitones at a time; null where the voice was silent or unvoiced. */
function pitchAt(pitch: Assessment['pitch'], ms: number): number | null {
  let [low, high] = [0, pitch.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pitch[middle]?.ms ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  const nearest = [pitch[low - 1], pitch[low]]
    .filter((point) => point !== undefined)
    .toSorted((a, b) => Math.abs(a.ms - ms) - Math.abs(b.ms - ms))[0];
  return nearest === undefined || Math.abs(nearest.ms - ms) > NEAREST_POINT_MS ? null : toSemitones(nearest.hz);
}

/** Logarithms, so that one long word does not outweigh all others. */
function compareRhythm(pairs: readonly WordPair[]): ComparedScore {
  // The last word has no next one, and is often drawn out.
  const samples = pairs.slice(0, -1).flatMap((pair, index): (readonly [number, number])[] => {
    const next = pairs[index + 1];
    return next === undefined ? [] : [[beatOf(pair.model, next.model), beatOf(pair.own, next.own)]];
  });
  return { score: roundScore(100 * Math.max(0, correlation(samples))), whyNot: null };
}

const beatOf = (word: WordAssessment, next: WordAssessment): number =>
  Math.log(Math.max(1, next.startMs - word.startMs));

/** Pearson's correlation; 0 when one side does not vary. */
function correlation(samples: readonly (readonly [number, number])[]): number {
  const mean = (side: 0 | 1): number => samples.reduce((sum, pair) => sum + pair[side], 0) / samples.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  let [xy, xx, yy] = [0, 0, 0];
  for (const [x, y] of samples) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xx < 1e-9 || yy < 1e-9 ? 0 : xy / Math.sqrt(xx * yy);
}
