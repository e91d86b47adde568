/** Decides whether a recording contains a text at all. */
import type { UnusableReason } from '@parley/domain';
import { FRAME_MS, type Posteriors } from '../acoustic/acoustic-model.ts';
import { type InsertedSpeech, type PhoneSequences, textFitPerPhone } from '../align/align.ts';
import { textGainPerPhone } from '../align/text-gain.ts';
import { outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';

/** A whole text with a worse fit per phone was not said. The threshold was measured on held-out speakers; see the model card. */
export const MIN_FIT = -2.8;

/**
 * The log-likelihood per phone of the words that were not omitted. Below it, the audio may contain a different text, and what counts is how much
 * better the text fits than unrelated words would (the gain), which depends less on accent and microphone; see the model card.
 */
const MIN_SHORT_TEXT_FIT = -2.3;
/**
 * A text of several phones with a fit below this is never accepted; in a shorter one, a single wrong sound can cost as
 * much.
 */
const MIN_POSSIBLE_FIT = -5;
const MIN_SEVERAL_PHONES = 6;
/**
 * A text with at least this many phones is a sentence: its gain must make up for its fit. Learners who are hard to
 * understand have a poor fit and a high gain.
 */
const MIN_SENTENCE_PHONES = 10;
const MIN_SENTENCE_FIT = -1.8;
const MIN_SENTENCE_GAIN = 1.5;
const SENTENCE_FIT_WEIGHT = 1.5;
const MIN_SENTENCE_EVIDENCE = -4.2;
/** A speaker who says less of the text than this has said something else. */
const MIN_SPOKEN_SHARE = 0.3;
/** When much of the text is missing, the rest must fit better to be accepted. */
const PARTIAL_TEXT_SHARE = 0.75;
const MIN_PARTIAL_TEXT_FIT = -2;
/**
 * Minimum speaking time from the first sound to the last. The fastest learner in the corpus takes 75 ms per phone, a fast native speaker 65
 * ms.
 */
const MIN_MS_PER_PHONE = 50;

/**
 * To sound without a voice, such as wavering hum, the network gives every phone a small likelihood, so that a short text fits well but no better than
 * unrelated words. A text that was said gains more over unrelated words. The less the sound changes, the larger that gain must be. Longer texts do not fit such sound.
 */
const MIN_GAIN = 1.8;
const LITTLE_CHANGE_DB = 3.2;
const MIN_GAIN_OF_LITTLE_CHANGE = 3.1;
const MAX_PHONES_OF_SHORT_TEXT = 40;
/** A tone gains at most 4 as one vowel, and a voice that holds the vowel about 5. */
const MIN_GAIN_OF_HELD_VOWEL = 4.5;
const H = outputOf('HH');

export interface MatchEvidence {
  sequences: PhoneSequences;
  /** See `spectralChangeDb`. */
  changeDb: number;
  omitted: ReadonlySet<number>;
  voiceMs: number;
}

/** Returns why the audio does not match the text, or null when it does. Omitted words alone are not a mismatch. */
export function findMismatch(words: readonly ExpectedWord[], evidence: MatchEvidence): UnusableReason | null {
  const { sequences, omitted, voiceMs } = evidence;
  const spokenWords = spokenOf(words, omitted);
  const share = spokenWords.length / (spokenWords.length + omitted.size);
  if (share < MIN_SPOKEN_SHARE) return 'not_the_text';
  const phones = phonesIn(spokenWords);
  const fit = textFitPerPhone(sequences, spokenWords);
  if (fit === null || voiceMs < phones * MIN_MS_PER_PHONE) return 'too_short';
  if (share < PARTIAL_TEXT_SHARE && fit < MIN_PARTIAL_TEXT_FIT) return 'not_the_text';
  const isSentence = phones >= MIN_SENTENCE_PHONES;
  const isFitEnough = share < PARTIAL_TEXT_SHARE || fit >= (isSentence ? MIN_SENTENCE_FIT : MIN_SHORT_TEXT_FIT);
  if (isFitEnough && phones > MAX_PHONES_OF_SHORT_TEXT) return null;
  const gain = textGainPerPhone(sequences, spokenWords) ?? -Infinity;
  if (isFitEnough) return gain >= minGain(evidence) ? null : 'not_the_text';
  const isTheText = isSentence
    ? gain >= MIN_SENTENCE_GAIN && gain + SENTENCE_FIT_WEIGHT * fit >= MIN_SENTENCE_EVIDENCE
    : gain >= minGain(evidence) && (phones < MIN_SEVERAL_PHONES || fit >= MIN_POSSIBLE_FIT);
  return isTheText ? null : 'not_the_text';
}

const minGain = ({ changeDb }: MatchEvidence): number =>
  changeDb < LITTLE_CHANGE_DB ? MIN_GAIN_OF_LITTLE_CHANGE : MIN_GAIN;

/** Whether the text is one vowel, such as “Ah”, that was said. It may hardly change, even around the “h” of “Uh-huh”. */
export function isHeldVowel(words: readonly ExpectedWord[], sequences: PhoneSequences): boolean {
  const outputs = words.flatMap(({ pronunciations }) => pronunciations[0]?.outputs ?? []);
  if (new Set(outputs.filter((output) => output !== H)).size !== 1) return false;
  return (textGainPerPhone(sequences, spokenOf(words, new Set())) ?? -Infinity) >= MIN_GAIN_OF_HELD_VOWEL;
}

/**
 * Whether a whole sentence was said among other speech, such as a first try or a remark, which lowers the fit of the
 * whole. Without that speech, the sentence must fit by itself; its gain would mean less, because the frames were chosen
 * to match.
 */
export function isAmidOtherSpeech(
  words: readonly ExpectedWord[],
  { sequences, omitted, voiceMs }: MatchEvidence,
  insertions: readonly InsertedSpeech[],
): boolean {
  const spokenWords = spokenOf(words, omitted);
  const phones = phonesIn(spokenWords);
  const isMostlySaid = spokenWords.length >= PARTIAL_TEXT_SHARE * (spokenWords.length + omitted.size);
  const insertedFrames = insertions.reduce((sum, { firstFrame, lastFrame }) => sum + lastFrame - firstFrame + 1, 0);
  if (insertedFrames === 0 || phones < MIN_SENTENCE_PHONES || !isMostlySaid) return false;
  if (voiceMs - insertedFrames * FRAME_MS < phones * MIN_MS_PER_PHONE) return false;
  const rest = sequences.map((order) => withoutFrames(order, insertions));
  return (textFitPerPhone(rest, spokenWords) ?? -Infinity) >= MIN_SENTENCE_FIT;
}

function withoutFrames({ frames, outputs, logProbs }: Posteriors, insertions: readonly InsertedSpeech[]): Posteriors {
  const kept = Array.from({ length: frames }, (_, frame) => frame).filter(
    (frame) => !insertions.some(({ firstFrame, lastFrame }) => frame >= firstFrame && frame <= lastFrame),
  );
  const rest = new Float32Array(kept.length * outputs);
  kept.forEach((frame, at) => rest.set(logProbs.subarray(frame * outputs, (frame + 1) * outputs), at * outputs));
  return { frames: kept.length, outputs, logProbs: rest };
}

const phonesIn = (words: readonly ExpectedWord[]): number =>
  words.reduce((sum, { pronunciations }) => sum + (pronunciations[0]?.outputs.length ?? 0), 0);

const spokenOf = (words: readonly ExpectedWord[], omitted: ReadonlySet<number>): ExpectedWord[] =>
  words.filter(({ pronunciations }, index) => pronunciations.length > 0 && !omitted.has(index));

export function isGoodFit(words: readonly ExpectedWord[], { sequences, omitted }: MatchEvidence): boolean {
  const fit = textFitPerPhone(sequences, spokenOf(words, omitted));
  return fit !== null && fit >= MIN_PARTIAL_TEXT_FIT;
}

export const isOtherText = (words: readonly ExpectedWord[], evidence: Omit<MatchEvidence, 'omitted'>): boolean =>
  words.length > 0 && findMismatch(words, { ...evidence, omitted: new Set() }) === null;
