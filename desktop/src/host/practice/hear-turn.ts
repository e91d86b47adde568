/** What came of a recording: is it usable, which of the expected replies was said, and how well. */
import { type HeardTurn, LISTENING_FAILURES, type ListeningFailure } from '@parley/contract';
import { type Assessment, assertNever, ofFreeSpeech, RecordingId, TurnId, type UnusableReason } from '@parley/domain';
import { inspectAudio } from '@parley/speech';
import type { Answer } from '../answer/index.ts';
import type { Understood } from '../coach/index.ts';
import type { Logger } from '../logger.ts';
import { readSamples, type Recording, type Recordings } from '../recordings/index.ts';
import type { SpeechScorer } from '../scorer/index.ts';

export interface TurnHearing {
  recordings: Recordings;
  scorer: SpeechScorer;
  logger: Logger;
}

/** Words for audio that cannot be scored honestly: why, and what to do. */
const UNUSABLE_HINTS = {
  silent: 'We heard nothing. Check that the microphone is not muted, then say it again.',
  clipped: 'Your voice was too loud for the microphone. Move back a little and say it again.',
  noisy: 'There was too much noise behind your voice. Move somewhere quieter and say it again.',
} as const satisfies Partial<Record<UnusableReason, string>>;

/** What is kept of it; also why nobody wrote down what was said, so that it can be tried again whenever the learner comes back. */
type Outcome = Pick<Recording, 'outcome' | 'text' | 'failure' | 'unusableReason' | 'hint' | 'assessment'>;

const NOTHING: Outcome = {
  outcome: null,
  text: null,
  failure: null,
  unusableReason: null,
  hint: null,
  assessment: null,
};

/** How the words are found: one of the replies that the dialogue expects, or written down by somebody who listens. */
export type Recognition =
  | { type: 'candidates'; candidates: readonly string[] }
  | { type: 'anything'; listen: () => Promise<Answer<Understood>> };

const unusable = (reason: UnusableReason, hint: string): Outcome => ({
  ...NOTHING,
  outcome: 'unusable',
  unusableReason: reason,
  hint,
});

/** Listens to a waiting recording and stores what it heard; `text` is the learner's own word for what they said. */
export async function hearTurn(
  hearing: TurnHearing,
  turn: { recording: Recording; recognition: Recognition; text: string | null },
): Promise<Outcome> {
  const outcome = await listen(hearing, turn);
  hearing.recordings.note(turn.recording.recordingId, outcome);
  return outcome;
}

async function listen(
  { recordings, scorer, logger }: TurnHearing,
  turn: { recording: Recording; recognition: Recognition; text: string | null },
): Promise<Outcome> {
  const { recording, recognition, text: named } = turn;
  // Whatever becomes of its score, what was written down is kept.
  let known = named;
  try {
    const pcm = await readSamples(recordings, recording);
    const { verdict } = inspectAudio(pcm);
    if (verdict === 'silent' || verdict === 'clipped' || verdict === 'noisy')
      return unusable(verdict, UNUSABLE_HINTS[verdict]);
    const said =
      named === null ? await recognise(scorer, pcm, recognition) : { text: named, assessment: null, failure: null };
    const { text } = said;
    if (text === null) return { ...NOTHING, outcome: 'not_recognised', failure: said.failure };
    known = text;
    const assessment = said.assessment ?? (await scorer.assess({ pcm, text }));
    return recognition.type === 'anything'
      ? { ...NOTHING, outcome: 'heard', text, assessment: ofFreeSpeech(assessment) }
      : heardAs(text, assessment);
  } catch (error) {
    logger.error({ err: error, recordingId: recording.recordingId }, 'a recording could not be scored');
    return { ...NOTHING, outcome: 'not_scored', text: known };
  }
}

interface Recognised {
  text: string | null;
  /** Of whoever listened, if they scored it too. */
  assessment: Assessment | null;
  failure: ListeningFailure | null;
}

const NOT_RECOGNISED: Recognised = { text: null, assessment: null, failure: null };

async function recognise(scorer: SpeechScorer, pcm: Float32Array, recognition: Recognition): Promise<Recognised> {
  if (recognition.type === 'candidates') {
    const { candidates } = recognition;
    if (candidates.length === 0) return NOT_RECOGNISED;
    const { best } = await scorer.rank({ pcm, texts: candidates });
    return { ...NOT_RECOGNISED, text: best === null ? null : (candidates[best] ?? null) };
  }
  const understood = await recognition.listen();
  if (!understood.ok) {
    const { code } = understood.error;
    const failure = LISTENING_FAILURES.find((known) => known === code) ?? 'speech.unavailable';
    return { ...NOT_RECOGNISED, failure };
  }
  const text = understood.value.text.trim();
  return text === '' ? NOT_RECOGNISED : { text, assessment: understood.value.assessment, failure: null };
}

/** One of the sentences that were to be said: what does not sound like it is said again. */
const heardAs = (text: string, assessment: Assessment): Outcome =>
  assessment.unusable === undefined
    ? { ...NOTHING, outcome: 'heard', text, assessment }
    : { ...unusable(assessment.unusable.reason, assessment.unusable.hint), text, assessment };

/** The waiting turn as the screen shows it. */
export function toHeardTurn(recording: Recording, outcome: Outcome, candidates: readonly string[]): HeardTurn {
  const recorded = {
    turnId: TurnId.parse(recording.turnId),
    recordingId: RecordingId.parse(recording.recordingId),
    isInterrupted: recording.isInterrupted,
  };
  switch (outcome.outcome) {
    case 'heard':
      if (outcome.text === null || outcome.assessment === null) throw new Error('a heard turn lacks what was heard');
      return { status: 'heard', ...recorded, text: outcome.text, assessment: outcome.assessment };
    case 'not_recognised':
      return {
        status: 'not_recognised',
        ...recorded,
        candidates: [...candidates],
        failure: outcome.failure,
      };
    case 'unusable':
      return {
        status: 'unusable',
        ...recorded,
        reason: outcome.unusableReason ?? 'noisy',
        hint: outcome.hint ?? UNUSABLE_HINTS.noisy,
      };
    case 'not_scored':
    case null:
      return { status: 'not_scored', ...recorded, candidates: [...candidates], text: outcome.text };
    default:
      return assertNever(outcome.outcome);
  }
}
