/** From recording and text to an honest assessment: measured where it can be, null where not, refused with a reason where it must be. */
import {
  type Assessment,
  MIN_WORDS_FOR_PROSODY,
  MISPRONUNCIATION_BELOW,
  type PhonemeAssessment,
  pronScore,
  roundScore,
  type UnusableReason,
  type WordAssessment,
} from '@parley/domain';
import { type AcousticModel, FRAME_MS, type Posteriors } from '../acoustic/acoustic-model.ts';
import { type AlignedPhone, type AlignedWord, type Alignment, alignWords, omittedWords } from '../align/align.ts';
import {
  pronunciationFeatures,
  renormalisedWithoutBlank,
  withPhoneScores,
} from '../features/pronunciation-features.ts';
import { ipaOf } from '../pronounce/phones.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { type AudioReport, inspectAudio } from '../signal/inspect.ts';
import { logMel } from '../signal/log-mel.ts';
import { prepareSpeech } from '../signal/prepare-speech.ts';
import { pitchContour } from '../signal/pitch.ts';
import { findPauses } from './pauses.ts';
import type { ScorerModel } from './scorer-model.ts';

/** Log-likelihood a phone below the free path under which the audio holds another text; see the model card. */
export const NOT_THE_TEXT_BELOW = -3.3;

const HINTS: Record<UnusableReason, string> = {
  silent: 'We could not hear you. Check that the right microphone is chosen and not muted, then say it again.',
  clipped: 'The sound is too loud and breaks up. Move a little away from the microphone and say it again.',
  noisy: 'There is too much noise to score this fairly. Move somewhere quieter or closer to the microphone.',
  too_short: 'That was too short for this sentence. Say the whole sentence, up to its last word.',
  not_the_text: 'We heard something else than this sentence. Read it again, or choose what you said.',
};

/** A phone's stretch reaches at most this far from its peak towards a silence. */
const MAX_REACH_FRAMES = 6;
const SHOW_RIVALS_BELOW = 60;
const MIN_RIVAL_LIKELIHOOD = 0.15;
const MIN_WORDS_FOR_FLUENCY = 2;

export interface SpeechToAssess {
  /** 16 kHz mono, -1..1. */
  pcm: Float32Array;
  words: readonly WordToSay[];
}

export async function assess(
  speech: SpeechToAssess,
  models: { acoustic: AcousticModel; scorer: ScorerModel },
): Promise<Assessment> {
  const report = inspectAudio(speech.pcm);
  const refused = refusalOf(report);
  if (refused !== null) return unusable(report, refused);
  if (speech.words.every((word) => word.pronunciations.length === 0)) return unmeasured(report, speech.words);

  const prepared = prepareSpeech(speech.pcm, report);
  const mel = logMel(prepared.pcm);
  const posteriors = await models.acoustic.run(mel);
  const alignment = alignWords(posteriors, speech.words);
  if (alignment === null) return unusable(report, 'too_short');
  if (fitPerPhone(alignment, posteriors) < NOT_THE_TEXT_BELOW) return unusable(report, 'not_the_text');

  const features = pronunciationFeatures(posteriors, alignment, mel);
  const omitted = omittedWords(posteriors, speech.words);
  const phoneValues = features.phones.map((row) => models.scorer.phone.predict(row));
  const stacked = withPhoneScores(features, alignment, phoneValues);
  const phoneScores = phoneValues.map((value) => roundScore(value * 50));
  const wordScores = stacked.words.map((row) => roundScore(models.scorer['word-accuracy'].predict(row) * 10));
  const words = describeWords(speech.words, alignment, {
    posteriors,
    startMs: prepared.startMs,
    omitted,
    phoneScores,
    wordScores,
  });

  const sentence = (target: 'sentence-accuracy' | 'sentence-fluency' | 'sentence-prosody'): number =>
    roundScore(models.scorer[target].predict(stacked.utterance) * 10);
  const sayable = speech.words.filter((word) => word.pronunciations.length > 0).length;
  const spoken = sayable - omitted.size;
  const dimensions = {
    accuracy: sentence('sentence-accuracy'),
    fluency: spoken >= MIN_WORDS_FOR_FLUENCY ? sentence('sentence-fluency') : null,
    prosody: spoken >= MIN_WORDS_FOR_PROSODY ? sentence('sentence-prosody') : null,
    completeness: roundScore((spoken / sayable) * 100),
  };
  return {
    source: 'device',
    durationMs: report.durationMs,
    snrDb: report.snrDb,
    ...dimensions,
    pron: pronScore(dimensions),
    words,
    pitch: pitchContour(speech.pcm),
    pauses: findPauses(speech.pcm),
  };
}

/** Log-likelihood a phone, relative to the free path; 0 is the best there is. */
export const fitPerPhone = (alignment: Alignment, posteriors: Posteriors): number =>
  (alignment.fit * posteriors.frames) /
  Math.max(
    1,
    alignment.words.reduce((sum, word) => sum + word.phones.length, 0),
  );

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

interface Measured {
  posteriors: Posteriors;
  /** Where the first frame lies in the recording. */
  startMs: number;
  omitted: ReadonlySet<number>;
  phoneScores: readonly number[];
  wordScores: readonly number[];
}

function describeWords(words: readonly WordToSay[], alignment: Alignment, measured: Measured): WordAssessment[] {
  const alignedByWord = new Map(alignment.words.map((aligned, index) => [aligned.word, { aligned, index }]));
  const withoutBlank = renormalisedWithoutBlank(measured.posteriors);
  const flat = alignment.words.flatMap((aligned) => aligned.phones);
  let phoneAt = 0;
  let lastEndMs = 0;
  return words.map(({ word }, index) => {
    const found = alignedByWord.get(index);
    if (found === undefined)
      return { word, startMs: lastEndMs, endMs: lastEndMs, accuracy: null, error: 'None', phonemes: [] };
    const isOmitted = measured.omitted.has(index);
    const firstPhone = phoneAt;
    phoneAt += found.aligned.phones.length;
    const phonemes = found.aligned.phones.map((phone, at): PhonemeAssessment => {
      const span = phoneSpan(flat, firstPhone + at, measured);
      const accuracy = isOmitted ? 0 : (measured.phoneScores[firstPhone + at] ?? null);
      const heardAs = isOmitted ? [] : rivalsOf(phone, withoutBlank, measured.posteriors.outputs);
      const isWeak = accuracy !== null && accuracy < SHOW_RIVALS_BELOW && heardAs.length > 0;
      return { phoneme: ipaOf(phone.output, phone.phone), ...span, accuracy, ...(isWeak ? { heardAs } : {}) };
    });
    const startMs = phonemes[0]?.startMs ?? lastEndMs;
    lastEndMs = phonemes.at(-1)?.endMs ?? startMs;
    return { word, startMs, endMs: lastEndMs, ...wordVerdict(found, { isOmitted, measured }), phonemes };
  });
}

function wordVerdict(
  found: { aligned: AlignedWord; index: number },
  context: { isOmitted: boolean; measured: Measured },
): Pick<WordAssessment, 'accuracy' | 'error'> {
  if (context.isOmitted) return { accuracy: 0, error: 'Omission' };
  const accuracy = context.measured.wordScores[found.index] ?? null;
  return { accuracy, error: accuracy !== null && accuracy < MISPRONUNCIATION_BELOW ? 'Mispronunciation' : 'None' };
}

/** CTC marks where a phone is likeliest; its stretch runs half-way to its neighbours, but not far into a silence. */
function phoneSpan(
  flat: readonly AlignedPhone[],
  index: number,
  { posteriors, startMs }: Measured,
): { startMs: number; endMs: number } {
  const phone = flat[index];
  if (phone === undefined) return { startMs, endMs: startMs };
  const before = flat[index - 1]?.peakFrame ?? -Infinity;
  const after = flat[index + 1]?.peakFrame ?? Infinity;
  const start = Math.max((before + phone.peakFrame) / 2, phone.firstFrame - MAX_REACH_FRAMES, 0);
  const end = Math.min((after + phone.peakFrame) / 2, phone.lastFrame + MAX_REACH_FRAMES, posteriors.frames);
  return { startMs: startMs + Math.round(start * FRAME_MS), endMs: startMs + Math.round(end * FRAME_MS) };
}

/** What else the sound could have been, where the phone is likeliest. */
function rivalsOf(
  phone: AlignedPhone,
  withoutBlank: Float32Array,
  outputs: number,
): { phoneme: string; likelihood: number }[] {
  return Array.from({ length: outputs - 1 }, (_, index) => index + 1)
    .filter((output) => output !== phone.output)
    .map((output) => ({
      phoneme: ipaOf(output),
      likelihood: Math.round(Math.exp(withoutBlank[phone.peakFrame * outputs + output] as number) * 100) / 100,
    }))
    .filter(({ likelihood }) => likelihood >= MIN_RIVAL_LIKELIHOOD)
    .toSorted((a, b) => b.likelihood - a.likelihood)
    .slice(0, 3);
}
