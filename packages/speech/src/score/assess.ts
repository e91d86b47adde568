/** Assesses a recording against a text. A value that cannot be measured is null, and an unusable recording is rejected with a reason. */
import {
  type Assessment,
  MIN_WORDS_FOR_PROSODY,
  pronScore,
  roundScore,
  type UnusableCause,
  type UnusableReason,
  type WordAssessment,
} from '@parley/domain';
import { FRAME_MS } from '../acoustic/acoustic-model.ts';
import type { AnalyseSpeech } from '../acoustic/analyse-speech.ts';
import { alignWords, omittedWords, type PhoneSequences, phoneSequencesOf, textFitPerPhone } from '../align/align.ts';
import { textGainPerPhone } from '../align/text-gain.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type AudioReport, inspectAudio } from '../signal/inspect.ts';
import { pitchContour } from '../signal/pitch.ts';
import { mergeBreaks } from './breaks.ts';
import { describeWords } from './describe-words.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { isMonotone } from './monotone.ts';
import { findPauses } from './pauses.ts';
import { splitIntoSegments } from './segments.ts';
import { mergeSegments, scoreSegment } from './score-segment.ts';
import type { ScorerModel } from './scorer-model.ts';

/**
 * The log-likelihood per phone of the words that were not omitted. Below it, the audio may contain a different text, and what counts is how much
 * better the text fits than unrelated words would (the gain), which depends less on accent and microphone; see the model card.
 */
const MIN_SHORT_TEXT_FIT = -2.3;
const MIN_SHORT_TEXT_GAIN = 1.8;
/** A text of several phones with such a fit is never accepted; in a shorter one, a single wrong sound can cost as much. */
const MIN_POSSIBLE_FIT = -5;
const MIN_SEVERAL_PHONES = 6;
/** From this many phones on, a text is a sentence: its gain must make up for its fit. Learners who are hard to understand have a poor fit and a high gain. */
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
 * Stored with the assessment and synced, so that versions of the app that know no reasons can show it. It stays as it is: screens say the
 * reason and the cause in the reader's language.
 */
const HINTS: Record<UnusableReason, string> = {
  silent: 'We could not hear you. Check that the right microphone is chosen and not muted, then say it again.',
  clipped: 'The sound is too loud and breaks up. Move a little away from the microphone and say it again.',
  noisy: 'There is too much noise to score this fairly. Move somewhere quieter or closer to the microphone.',
  too_short: 'That was too short for this sentence. Say all of it, up to its last word, and take your time.',
  not_the_text: 'We heard something else. Say this sentence again.',
};

const HINT_BY_CAUSE: Partial<Record<UnusableCause, string>> = {
  too_quiet: 'You were too quiet to be understood. Come closer to the microphone and say it again.',
  first_part: 'Only the first part was heard. Say the whole sentence, up to its last word.',
};

const MIN_WORDS_FOR_FLUENCY = 2;

export interface SpeechToAssess {
  /** 16 kHz mono, -1..1. */
  pcm: Float32Array;
  words: readonly ExpectedWord[];
  /** A text that learners confuse with this one: saying it gives a low score instead of being refused. */
  other?: readonly ExpectedWord[];
}

export async function assess(
  speech: SpeechToAssess,
  models: { analyse: AnalyseSpeech; scorer: ScorerModel },
): Promise<Assessment> {
  const report = inspectAudio(speech.pcm);
  const rejection = rejectionReason(report);
  if (rejection !== null) return unusable(report, rejection);
  if (speech.words.every((word) => word.pronunciations.length === 0))
    return assessmentWithoutScores(report, speech.words);

  const { acousticOutput, mel, startMs } = await models.analyse(speech.pcm);
  const sequences = phoneSequencesOf(acousticOutput);
  const omitted = omittedWords(sequences, speech.words);
  const voiceMs = acousticOutput.frames * FRAME_MS;
  const evidence = { sequences, omitted, voiceMs };
  const mismatch = findMismatch(speech.words, evidence);
  const explain = () =>
    explainMismatch(report.verdict, { count: speech.words.length, omitted, fit: isGoodFit(speech.words, evidence) });
  if (mismatch !== null && !isOtherText(speech.other ?? [], { sequences, voiceMs }))
    return unusable(report, mismatch, explain());
  const alignment = alignWords(acousticOutput, speech.words, omitted);
  if (alignment === null) return unusable(report, 'too_short', explain());
  const segments: Parameters<typeof mergeSegments>[0][number][] = [];
  for (const piece of splitIntoSegments({ acousticOutput, mel, alignment }, speech.words))
    segments.push({ words: piece.alignment.words, scores: await scoreSegment(piece, models.scorer) });
  const scores = mergeSegments(segments, { minWordsForProsody: MIN_WORDS_FOR_PROSODY });
  const pitch = pitchContour(speech.pcm);
  const pauses = findPauses(speech.pcm);
  const spoken = alignment.words.length;
  const sayable = spoken + omitted.size;
  const isSingleWord = sayable === 1;
  const words = describeWords({
    words: speech.words,
    omitted,
    alignment,
    hearing: acousticOutput,
    scores,
    startMs,
    pauses,
    isMonotone: isMonotone(pitch, spoken),
    isSingleWord,
  });
  const dimensions = {
    accuracy: isSingleWord ? onlyWordAccuracy(words) : roundScore(scores.accuracy * 10),
    fluency: spoken >= MIN_WORDS_FOR_FLUENCY ? roundScore(scores.fluency * 10) : null,
    prosody: scores.prosody === null ? null : roundScore(scores.prosody * 10),
    // That a single word was said at all is no achievement, and would hide a wrong sound.
    completeness: isSingleWord ? null : roundScore((spoken / sayable) * 100),
  };
  return {
    source: 'device',
    durationMs: report.durationMs,
    snrDb: report.snrDb,
    ...dimensions,
    pron: pronScore(dimensions),
    words,
    pitch,
    pauses: mergeBreaks(pauses, words),
  };
}

const onlyWordAccuracy = (words: readonly WordAssessment[]): number | null =>
  words.find(({ accuracy, error }) => accuracy !== null && error !== 'Insertion')?.accuracy ?? null;

interface MatchEvidence {
  sequences: PhoneSequences;
  omitted: ReadonlySet<number>;
  voiceMs: number;
}

/** Returns why the audio does not match the text, or null when it does. Omitted words alone are not a mismatch. */
function findMismatch(
  words: readonly ExpectedWord[],
  { sequences, omitted, voiceMs }: MatchEvidence,
): UnusableReason | null {
  const spokenWords = spokenOf(words, omitted);
  const share = spokenWords.length / (spokenWords.length + omitted.size);
  if (share < MIN_SPOKEN_SHARE) return 'not_the_text';
  const phones = spokenWords.reduce((sum, { pronunciations }) => sum + (pronunciations[0]?.outputs.length ?? 0), 0);
  const fit = textFitPerPhone(sequences, spokenWords);
  if (fit === null || voiceMs < phones * MIN_MS_PER_PHONE) return 'too_short';
  if (share < PARTIAL_TEXT_SHARE) return fit < MIN_PARTIAL_TEXT_FIT ? 'not_the_text' : null;
  const isSentence = phones >= MIN_SENTENCE_PHONES;
  if (fit >= (isSentence ? MIN_SENTENCE_FIT : MIN_SHORT_TEXT_FIT)) return null;
  const gain = textGainPerPhone(sequences, spokenWords) ?? -Infinity;
  const isTheText = isSentence
    ? gain >= MIN_SENTENCE_GAIN && gain + SENTENCE_FIT_WEIGHT * fit >= MIN_SENTENCE_EVIDENCE
    : gain >= MIN_SHORT_TEXT_GAIN && (phones < MIN_SEVERAL_PHONES || fit >= MIN_POSSIBLE_FIT);
  return isTheText ? null : 'not_the_text';
}

const spokenOf = (words: readonly ExpectedWord[], omitted: ReadonlySet<number>): ExpectedWord[] =>
  words.filter(({ pronunciations }, index) => pronunciations.length > 0 && !omitted.has(index));

function isGoodFit(words: readonly ExpectedWord[], { sequences, omitted }: MatchEvidence): boolean {
  const fit = textFitPerPhone(sequences, spokenOf(words, omitted));
  return fit !== null && fit >= MIN_PARTIAL_TEXT_FIT;
}

const isOtherText = (words: readonly ExpectedWord[], evidence: Omit<MatchEvidence, 'omitted'>): boolean =>
  words.length > 0 && findMismatch(words, { ...evidence, omitted: new Set() }) === null;

/** Why audio cannot be scored, whatever its text; undefined when it can. */
export function unusableAudio(report: AudioReport): Assessment['unusable'] {
  const reason = rejectionReason(report);
  return reason === null ? undefined : { reason, hint: HINTS[reason] };
}

function rejectionReason(report: AudioReport): UnusableReason | null {
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

const emptyAssessment = (report: AudioReport): Omit<Assessment, 'words'> => ({
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

const unusable = (report: AudioReport, reason: UnusableReason, cause?: UnusableCause): Assessment => ({
  ...emptyAssessment(report),
  words: [],
  unusable:
    cause === undefined
      ? { reason, hint: HINTS[reason] }
      : { reason, cause, hint: HINT_BY_CAUSE[cause] ?? HINTS[reason] },
});

/** The audio is usable but no word has a known pronunciation, so every score is null. */
const assessmentWithoutScores = (report: AudioReport, words: readonly ExpectedWord[]): Assessment => ({
  ...emptyAssessment(report),
  words: words.map(({ word }) => ({ word, startMs: 0, endMs: 0, accuracy: null, error: 'None', phonemes: [] })),
});
