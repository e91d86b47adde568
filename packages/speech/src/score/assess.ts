/** From recording and text to an honest assessment: measured where it can be, null where not, refused with a reason where it must be. */
import { type Assessment, MIN_WORDS_FOR_PROSODY, pronScore, roundScore, type UnusableReason } from '@parley/domain';
import { FRAME_MS } from '../acoustic/acoustic-model.ts';
import type { Hear } from '../acoustic/hear.ts';
import { alignWords, omittedWords, type Orders, ordersOf, textFitPerPhone } from '../align/align.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { type AudioReport, inspectAudio } from '../signal/inspect.ts';
import { pitchContour } from '../signal/pitch.ts';
import { withBreaks } from './breaks.ts';
import { describeWords } from './describe-words.ts';
import { isMonotone } from './monotone.ts';
import { findPauses } from './pauses.ts';
import { splitIntoPieces } from './pieces.ts';
import { mergePieces, scorePiece } from './score-piece.ts';
import type { ScorerModel } from './scorer-model.ts';

/** Log-likelihood a phone, of the words that were not left out, under which the audio holds another text; see the model card. */
const NOT_THE_TEXT_BELOW = -2.9;
/** Who says less of a text than this has said something else. */
const MIN_SHARE_SAID = 0.3;
/** Where much is missing, the rest must fit better than this to be believed. */
const MUCH_MISSING_BELOW = 0.75;
const REST_IS_THE_TEXT_FROM = -2;
/** From the first sound to the last. The fastest of the corpus' learners takes 75 ms a phone, a hurried native speaker 65. */
const MIN_MS_A_PHONE = 50;

const HINTS: Record<UnusableReason, string> = {
  silent: 'We could not hear you. Check that the right microphone is chosen and not muted, then say it again.',
  clipped: 'The sound is too loud and breaks up. Move a little away from the microphone and say it again.',
  noisy: 'There is too much noise to score this fairly. Move somewhere quieter or closer to the microphone.',
  too_short: 'That was too short for this sentence. Say all of it, up to its last word, and take your time.',
  not_the_text: 'We heard something else than this sentence. Read it again, or choose what you said.',
};

const MIN_WORDS_FOR_FLUENCY = 2;

export interface SpeechToAssess {
  /** 16 kHz mono, -1..1. */
  pcm: Float32Array;
  words: readonly WordToSay[];
}

export async function assess(speech: SpeechToAssess, models: { hear: Hear; scorer: ScorerModel }): Promise<Assessment> {
  const report = inspectAudio(speech.pcm);
  const refused = refusalOf(report);
  if (refused !== null) return unusable(report, refused);
  if (speech.words.every((word) => word.pronunciations.length === 0)) return unmeasured(report, speech.words);

  const { hearing, mel, startMs } = await models.hear(speech.pcm);
  const orders = ordersOf(hearing);
  const omitted = omittedWords(orders, speech.words);
  const mismatch = mismatchOf(speech.words, { orders, omitted, voiceMs: hearing.frames * FRAME_MS });
  if (mismatch !== null) return unusable(report, mismatch);
  const alignment = alignWords(hearing, speech.words, omitted);
  if (alignment === null) return unusable(report, 'too_short');
  const pieces: Parameters<typeof mergePieces>[0][number][] = [];
  for (const piece of splitIntoPieces({ hearing, mel, alignment }, speech.words))
    pieces.push({ words: piece.alignment.words, scores: await scorePiece(piece, models.scorer) });
  const scores = mergePieces(pieces, { minWordsForProsody: MIN_WORDS_FOR_PROSODY });
  const pitch = pitchContour(speech.pcm);
  const pauses = findPauses(speech.pcm);
  const spoken = alignment.words.length;
  const sayable = spoken + omitted.size;
  const dimensions = {
    accuracy: roundScore(scores.accuracy * 10),
    fluency: spoken >= MIN_WORDS_FOR_FLUENCY ? roundScore(scores.fluency * 10) : null,
    prosody: scores.prosody === null ? null : roundScore(scores.prosody * 10),
    completeness: roundScore((spoken / sayable) * 100),
  };
  const words = describeWords({
    words: speech.words,
    omitted,
    alignment,
    hearing,
    scores,
    startMs,
    pauses,
    isMonotone: isMonotone(pitch, spoken),
  });
  return {
    source: 'device',
    durationMs: report.durationMs,
    snrDb: report.snrDb,
    ...dimensions,
    pron: pronScore(dimensions),
    words,
    pitch,
    pauses: withBreaks(pauses, words),
  };
}

/** Why this is not the text, or not enough of it; null when it is. Words that were left out do not make it another text. */
function mismatchOf(
  words: readonly WordToSay[],
  heard: { orders: Orders; omitted: ReadonlySet<number>; voiceMs: number },
): UnusableReason | null {
  const said = words.filter(({ pronunciations }, index) => pronunciations.length > 0 && !heard.omitted.has(index));
  const share = said.length / (said.length + heard.omitted.size);
  if (share < MIN_SHARE_SAID) return 'not_the_text';
  const phones = said.reduce((sum, { pronunciations }) => sum + (pronunciations[0]?.outputs.length ?? 0), 0);
  const fit = textFitPerPhone(heard.orders, said);
  if (fit === null || heard.voiceMs < phones * MIN_MS_A_PHONE) return 'too_short';
  return fit < (share < MUCH_MISSING_BELOW ? REST_IS_THE_TEXT_FROM : NOT_THE_TEXT_BELOW) ? 'not_the_text' : null;
}

function refusalOf(report: AudioReport): UnusableReason | null {
  switch (report.verdict) {
    case 'silent':
      return 'silent';
    case 'clipped':
      return 'clipped';
    case 'noisy':
      return 'noisy';
    case 'too_quiet':
    case 'good':
      return null;
  }
}

const nothingMeasured = (report: AudioReport): Omit<Assessment, 'words'> => ({
  source: 'device',
  durationMs: report.durationMs,
  snrDb: report.snrDb,
  accuracy: null,
  fluency: null,
  prosody: null,
  completeness: null,
  pron: null,
  pitch: [],
  pauses: [],
});

const unusable = (report: AudioReport, reason: UnusableReason): Assessment => ({
  ...nothingMeasured(report),
  words: [],
  unusable: { reason, hint: HINTS[reason] },
});

/** Usable sound, but no word that anyone could pronounce: every score is null. */
const unmeasured = (report: AudioReport, words: readonly WordToSay[]): Assessment => ({
  ...nothingMeasured(report),
  words: words.map(({ word }) => ({ word, startMs: 0, endMs: 0, accuracy: null, error: 'None', phonemes: [] })),
});
