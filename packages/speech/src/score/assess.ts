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
import { alignWords, omittedWords, phoneSequencesOf } from '../align/align.ts';
import { withoutReplacedWords } from '../align/replaced.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type AudioReport, inspectAudio } from '../signal/inspect.ts';
import { pitchContour } from '../signal/pitch.ts';
import { withoutHum } from '../signal/remove-hum.ts';
import { MIN_CHANGE_DB, spectralChangeDb } from '../signal/spectral-change.ts';
import { mergeBreaks } from './breaks.ts';
import { accuracyLostToRules, describeWords, type SpokenUtterance, UNKNOWN_WORD } from './describe-words.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { findMismatch, isAmidOtherSpeech, isGoodFit, isHeldVowel, isOtherText } from './find-mismatch.ts';
import { findTries, placeLastTry } from './last-try.ts';
import { isMonotone, prosodyLostToFlatPitch } from './monotone.ts';
import { findPauses } from './pauses.ts';
import { splitIntoSegments } from './segments.ts';
import { mergeSegments, scoreSegment } from './score-segment.ts';
import type { ScorerModel } from './scorer-model.ts';

/**
 * Stored with the assessment and synced, so that versions of the app that do not know the reasons can show it. It must
 * not change: screens show the reason and the cause in the reader's language.
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

interface AssessmentModels {
  analyse: AnalyseSpeech;
  scorer: ScorerModel;
}

export async function assess(recorded: SpeechToAssess, models: AssessmentModels): Promise<Assessment> {
  const { pcm: usable, report } = withoutHum(recorded.pcm);
  const speech = { ...recorded, pcm: usable };
  const rejection = rejectionReason(report);
  if (rejection !== null) return unusable(report, rejection);
  const texts = speech.other === undefined ? [speech.words] : [speech.words, speech.other];
  const tries = await findTries(speech.pcm, texts, models.analyse);
  if (tries === null) return assessWhole(speech, report, models);
  const { pcm } = tries.last;
  const ofLast = await assessWhole({ ...speech, pcm }, inspectAudio(pcm), models);
  if (ofLast.unusable !== undefined) return assessWhole(speech, report, models);
  // Earlier tries are not compared with the other word of the pair.
  const earlierWord = speech.other === undefined ? onlyWordOf(speech.words) : UNKNOWN_WORD;
  return placeLastTry(ofLast, tries, { pcm: speech.pcm, earlierWord });
}

const onlyWordOf = (words: readonly ExpectedWord[]): string =>
  words.find(({ pronunciations }) => pronunciations.length > 0)?.word ?? UNKNOWN_WORD;

async function assessWhole(speech: SpeechToAssess, report: AudioReport, models: AssessmentModels): Promise<Assessment> {
  if (speech.words.every((word) => word.pronunciations.length === 0))
    return assessmentWithoutScores(report, speech.words);

  const { acousticOutput, mel, startMs } = await models.analyse(speech.pcm);
  const changeDb = spectralChangeDb(mel);
  const sequences = phoneSequencesOf(acousticOutput);
  if (changeDb < MIN_CHANGE_DB && !isHeldVowel(speech.words, sequences)) return unusable(report, 'noisy');
  const leftOut = omittedWords(sequences, speech.words);
  const voiceMs = acousticOutput.frames * FRAME_MS;
  const evidence = { sequences, changeDb, omitted: leftOut, voiceMs };
  const firstAlignment = alignWords(acousticOutput, speech.words, leftOut);
  const mismatch = findMismatch(speech.words, evidence);
  const explain = () =>
    explainMismatch(report.verdict, {
      count: speech.words.length,
      omitted: leftOut,
      fit: isGoodFit(speech.words, evidence),
    });
  const isAccepted =
    mismatch === null ||
    isOtherText(speech.other ?? [], { sequences, changeDb, voiceMs }) ||
    (mismatch === 'not_the_text' && isAmidOtherSpeech(speech.words, evidence, firstAlignment?.insertions ?? []));
  if (!isAccepted) return unusable(report, mismatch, explain());
  if (firstAlignment === null) return unusable(report, 'too_short', explain());
  const { alignment, omitted } = withoutReplacedWords(acousticOutput, speech.words, {
    alignment: firstAlignment,
    omitted: leftOut,
  });
  const inDigits = new Set(speech.words.flatMap(({ word }, index) => (/\d/.test(word) ? [index] : [])));
  const segments: Parameters<typeof mergeSegments>[0][number][] = [];
  for (const piece of splitIntoSegments({ acousticOutput, mel, alignment }, speech.words))
    segments.push({ words: piece.alignment.words, scores: await scoreSegment(piece, models.scorer, { inDigits }) });
  const scores = mergeSegments(segments, { minWordsForProsody: MIN_WORDS_FOR_PROSODY });
  const pitch = pitchContour(speech.pcm);
  const pauses = findPauses(speech.pcm);
  const spoken = alignment.words.length;
  const sayable = spoken + omitted.size;
  const isSingleWord = sayable === 1;
  // A word in whose place another one was said is wrong as well as missing.
  const rightShare = spoken / (spoken + omitted.size - leftOut.size);
  const utterance: SpokenUtterance = {
    words: speech.words,
    omitted,
    alignment,
    hearing: acousticOutput,
    scores,
    startMs,
    pauses,
    isMonotone: isMonotone(pitch, spoken),
    isSingleWord,
  };
  const words = describeWords(utterance);
  const dimensions = {
    accuracy: isSingleWord
      ? onlyWordAccuracy(words)
      : roundScore(scores.accuracy * 10 * rightShare - accuracyLostToRules(utterance)),
    fluency: spoken >= MIN_WORDS_FOR_FLUENCY ? roundScore(scores.fluency * 10) : null,
    prosody: scores.prosody === null ? null : roundScore(scores.prosody * 10 - prosodyLostToFlatPitch(pitch, spoken)),
    // Completeness says nothing about a single word, and would hide a wrong sound.
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
