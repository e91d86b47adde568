/** Assesses a recorded turn: whether it is usable, which text was said, and how well. */
import {
  type TranscribedWord,
  type WaitingTurn,
  TRANSCRIPTION_FAILURES,
  type TranscriptionFailure,
} from '@parley/contract';
import {
  type Assessment,
  assertNever,
  rescoreFreeSpeech,
  RecordingId,
  TurnId,
  type UnusableReason,
} from '@parley/domain';
import { withoutHum } from '@parley/speech';
import type { HostResult } from '../../result/index.ts';
import type { TranscribedSpeech } from '../../coach/index.ts';
import type { Logger } from '../../logger.ts';
import { readSamples, type Recording, type Recordings } from '../../recordings/index.ts';
import type { SpeechScorer } from '../../scorer/index.ts';
import { correctWords } from './corrected-words.ts';
import { draftAnswer } from './draft-answer.ts';

export interface AssessTurnParts {
  recordings: Recordings;
  scorer: SpeechScorer;
  logger: Logger;
  /** Transcribes with a speech pack; null when that is not possible. */
  transcribeHere: (pcm: Float32Array) => Promise<{ text: string; words: TranscribedWord[] } | null>;
}

/** The stored result. It includes why transcription failed, so that it can be retried after a restart. */
type TurnOutcome = Pick<Recording, 'outcome' | 'text' | 'words' | 'failure' | 'unusableReason' | 'assessment'>;

const NO_OUTCOME: TurnOutcome = {
  outcome: null,
  text: null,
  words: null,
  failure: null,
  unusableReason: null,
  assessment: null,
};

/** How the text is found: by recognising one of the expected replies, or by transcribing free speech. */
export type Recognition =
  | { type: 'candidates'; candidates: readonly string[]; vocabulary: readonly string[] }
  | { type: 'anything'; transcribe: () => Promise<HostResult<TranscribedSpeech>> };

const unusable = (reason: UnusableReason): TurnOutcome => ({
  ...NO_OUTCOME,
  outcome: 'unusable',
  unusableReason: reason,
});

/** Assesses a waiting recording and stores the result. `text` is the learner's own correction of what they said. */
export async function assessTurn(
  parts: AssessTurnParts,
  turn: { recording: Recording; recognition: Recognition; text: string | null },
): Promise<TurnOutcome> {
  const outcome = await listen(parts, turn);
  parts.recordings.storeOutcome(turn.recording.recordingId, outcome);
  return outcome;
}

async function listen(
  parts: AssessTurnParts,
  turn: { recording: Recording; recognition: Recognition; text: string | null },
): Promise<TurnOutcome> {
  const { recordings, scorer, logger } = parts;
  const { recording, recognition, text: correctedText } = turn;
  // The transcript is kept even if scoring fails.
  let transcript = correctedText;
  try {
    const { pcm, report } = withoutHum(await readSamples(recordings, recording));
    const { verdict } = report;
    if (verdict === 'silent' || verdict === 'clipped' || verdict === 'noisy') return unusable(verdict);
    const recognised =
      correctedText === null
        ? await recognise(parts, pcm, recognition)
        : {
            ...NOT_RECOGNISED,
            text: correctedText,
            words: recording.words === null ? null : correctWords(recording.words, correctedText),
          };
    const { text, words } = recognised;
    if (text === null) return { ...NO_OUTCOME, outcome: 'not_recognised', failure: recognised.failure };
    transcript = text;
    const assessment = recognised.assessment ?? (await scorer.assess({ pcm, text }));
    return recognition.type === 'anything' || words !== null
      ? { ...NO_OUTCOME, outcome: 'heard', text, words, assessment: rescoreFreeSpeech(assessment) }
      : toGuidedOutcome(text, assessment);
  } catch (error) {
    logger.error({ err: error, recordingId: recording.recordingId }, 'recording_scoring_failed');
    return { ...NO_OUTCOME, outcome: 'not_scored', text: transcript };
  }
}

interface RecognitionResult {
  text: string | null;
  /** Set when this computer transcribed the turn. */
  words: TranscribedWord[] | null;
  /** Set when the transcriber also assessed the turn. */
  assessment: Assessment | null;
  failure: TranscriptionFailure | null;
}

const NOT_RECOGNISED: RecognitionResult = { text: null, words: null, assessment: null, failure: null };

/** An expected reply or a server's transcript comes first, because this computer's own transcript is less certain. */
async function recognise(
  { scorer, transcribeHere }: AssessTurnParts,
  pcm: Float32Array,
  recognition: Recognition,
): Promise<RecognitionResult> {
  const recognised =
    recognition.type === 'candidates'
      ? await findReply(scorer, pcm, recognition.candidates)
      : await transcribeElsewhere(recognition);
  if (recognised.text !== null) return recognised;
  const here =
    (await transcribeHere(pcm)) ??
    (recognition.type === 'candidates' ? await draftAnswer(scorer, pcm, recognition.vocabulary) : null);
  return here === null ? recognised : { ...NOT_RECOGNISED, ...here };
}

async function findReply(
  scorer: SpeechScorer,
  pcm: Float32Array,
  candidates: readonly string[],
): Promise<RecognitionResult> {
  if (candidates.length === 0) return NOT_RECOGNISED;
  const { best } = await scorer.rank({ pcm, texts: candidates });
  return { ...NOT_RECOGNISED, text: best === null ? null : (candidates[best] ?? null) };
}

async function transcribeElsewhere(
  recognition: Extract<Recognition, { type: 'anything' }>,
): Promise<RecognitionResult> {
  const transcribed = await recognition.transcribe();
  if (!transcribed.ok) {
    const { code: given } = transcribed.error;
    // The turn's card has no message of its own for this device's rate limit.
    const code = given === 'request.too_many' ? 'coach.busy' : given;
    const failure = TRANSCRIPTION_FAILURES.find((known) => known === code) ?? 'speech.unavailable';
    return { ...NOT_RECOGNISED, failure };
  }
  const text = transcribed.value.text.trim();
  return text === '' ? NOT_RECOGNISED : { ...NOT_RECOGNISED, text, assessment: transcribed.value.assessment };
}

/** A recording that does not match the expected reply must be repeated. */
const toGuidedOutcome = (text: string, assessment: Assessment): TurnOutcome =>
  assessment.unusable === undefined
    ? { ...NO_OUTCOME, outcome: 'heard', text, assessment }
    : { ...unusable(assessment.unusable.reason), text, assessment };

const recordedTurnOf = ({ turnId, recordingId, isInterrupted }: Recording) => ({
  turnId: TurnId.parse(turnId),
  recordingId: RecordingId.parse(recordingId),
  isInterrupted,
});

export const assessingTurn = (recording: Recording): WaitingTurn => ({
  status: 'assessing',
  ...recordedTurnOf(recording),
});

/** Maps a recording to the waiting turn that the screen shows. */
export function toWaitingTurn(recording: Recording, outcome: TurnOutcome, candidates: readonly string[]): WaitingTurn {
  const recorded = recordedTurnOf(recording);
  switch (outcome.outcome) {
    case 'heard':
      if (outcome.text === null || outcome.assessment === null)
        throw new Error('an assessed turn lacks its text or assessment');
      return {
        status: 'heard',
        ...recorded,
        text: outcome.text,
        assessment: outcome.assessment,
        ...(outcome.words === null ? {} : { words: outcome.words }),
      };
    case 'not_recognised':
      return {
        status: 'not_recognised',
        ...recorded,
        candidates: [...candidates],
        failure: outcome.failure,
      };
    case 'unusable': {
      const cause = outcome.assessment?.unusable?.cause;
      const reason = outcome.unusableReason ?? 'noisy';
      return { status: 'unusable', ...recorded, reason, ...(cause === undefined ? {} : { cause }) };
    }
    case 'not_scored':
    case null:
      return { status: 'not_scored', ...recorded, candidates: [...candidates], text: outcome.text };
    default:
      return assertNever(outcome.outcome);
  }
}
