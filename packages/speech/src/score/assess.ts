/** From recording and text to an honest assessment: measured where it can be, null where not, refused with a reason where it must be. */
import { type Assessment, MIN_WORDS_FOR_PROSODY, pronScore, roundScore, type UnusableReason } from '@parley/domain';
import type { Hear } from '../acoustic/hear.ts';
import { alignWords, omittedWords, ordersOf, textFitPerPhone } from '../align/align.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { type AudioReport, inspectAudio } from '../signal/inspect.ts';
import { pitchContour } from '../signal/pitch.ts';
import { describeWords } from './describe-words.ts';
import { isMonotone } from './monotone.ts';
import { findPauses } from './pauses.ts';
import { splitIntoPieces } from './pieces.ts';
import { mergePieces, scorePiece } from './score-piece.ts';
import type { ScorerModel } from './scorer-model.ts';

/** Log-likelihood a phone below the free path under which the audio holds another text; see the model card. */
export const NOT_THE_TEXT_BELOW = -3.1;

const HINTS: Record<UnusableReason, string> = {
  silent: 'We could not hear you. Check that the right microphone is chosen and not muted, then say it again.',
  clipped: 'The sound is too loud and breaks up. Move a little away from the microphone and say it again.',
  noisy: 'There is too much noise to score this fairly. Move somewhere quieter or closer to the microphone.',
  too_short: 'That was too short for this sentence. Say the whole sentence, up to its last word.',
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
  const fit = textFitPerPhone(orders, speech.words);
  if (fit === null) return unusable(report, 'too_short');
  if (fit < NOT_THE_TEXT_BELOW) return unusable(report, 'not_the_text');
  const omitted = omittedWords(orders, speech.words);
  const alignment = alignWords(hearing, speech.words, omitted);
  if (alignment === null) return unusable(report, 'too_short');
  const pieces = splitIntoPieces({ hearing, mel, alignment }).map((piece) => ({
    words: piece.alignment.words,
    scores: scorePiece(piece, models.scorer),
  }));
  const scores = mergePieces(pieces, { minWordsForProsody: MIN_WORDS_FOR_PROSODY });
  const pitch = pitchContour(speech.pcm);
  const spoken = alignment.words.length;
  const sayable = spoken + omitted.size;
  const dimensions = {
    accuracy: roundScore(scores.accuracy * 10),
    fluency: spoken >= MIN_WORDS_FOR_FLUENCY ? roundScore(scores.fluency * 10) : null,
    prosody: scores.prosody === null ? null : roundScore(scores.prosody * 10),
    completeness: roundScore((spoken / sayable) * 100),
  };
  return {
    source: 'device',
    durationMs: report.durationMs,
    snrDb: report.snrDb,
    ...dimensions,
    pron: pronScore(dimensions),
    words: describeWords({
      words: speech.words,
      omitted,
      alignment,
      hearing,
      scores,
      startMs,
      isMonotone: isMonotone(pitch, spoken),
    }),
    pitch,
    pauses: findPauses(speech.pcm),
  };
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
