/** What came of a recording: is it usable, which of the expected replies was said, and how well. */
import type { HeardTurn } from '@parley/contract';
import { type Assessment, assertNever, RecordingId, TurnId, type UnusableReason } from '@parley/domain';
import { inspectAudio } from '@parley/speech';
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

type Outcome = Pick<Recording, 'outcome' | 'text' | 'unusableReason' | 'hint' | 'assessment'>;

const NOTHING: Outcome = { outcome: null, text: null, unusableReason: null, hint: null, assessment: null };

const unusable = (reason: UnusableReason, hint: string): Outcome => ({
  ...NOTHING,
  outcome: 'unusable',
  unusableReason: reason,
  hint,
});

/** Listens to a waiting recording and stores what it heard; `text` is the learner's own word for what they said. */
export async function hearTurn(
  hearing: TurnHearing,
  { recording, candidates, text }: { recording: Recording; candidates: readonly string[]; text: string | null },
): Promise<Outcome> {
  const outcome = await listen(hearing, { recording, candidates, text });
  hearing.recordings.note(recording.recordingId, outcome);
  return outcome;
}

async function listen(
  { recordings, scorer, logger }: TurnHearing,
  { recording, candidates, text }: { recording: Recording; candidates: readonly string[]; text: string | null },
): Promise<Outcome> {
  try {
    const pcm = await readSamples(recordings, recording);
    const { verdict } = inspectAudio(pcm);
    if (verdict === 'silent' || verdict === 'clipped' || verdict === 'noisy')
      return unusable(verdict, UNUSABLE_HINTS[verdict]);
    const said = text ?? (await recognise(scorer, pcm, candidates));
    if (said === null) return { ...NOTHING, outcome: 'not_recognised' };
    return heardAs(said, await scorer.assess({ pcm, text: said }));
  } catch (error) {
    logger.error({ err: error, recordingId: recording.recordingId }, 'a recording could not be scored');
    return { ...NOTHING, outcome: 'not_scored', text };
  }
}

async function recognise(
  scorer: SpeechScorer,
  pcm: Float32Array,
  candidates: readonly string[],
): Promise<string | null> {
  if (candidates.length === 0) return null;
  const { best } = await scorer.rank({ pcm, texts: candidates });
  return best === null ? null : (candidates[best] ?? null);
}

const heardAs = (text: string, assessment: Assessment): Outcome =>
  assessment.unusable === undefined
    ? { ...NOTHING, outcome: 'heard', text, assessment }
    : { ...unusable(assessment.unusable.reason, assessment.unusable.hint), text, assessment };

/** The waiting turn as the screen shows it. */
export function toHeardTurn(recording: Recording, outcome: Outcome, candidates: readonly string[]): HeardTurn {
  const turnId = TurnId.parse(recording.turnId);
  const recordingId = RecordingId.parse(recording.recordingId);
  switch (outcome.outcome) {
    case 'heard':
      if (outcome.text === null || outcome.assessment === null) throw new Error('a heard turn lacks what was heard');
      return { status: 'heard', turnId, recordingId, text: outcome.text, assessment: outcome.assessment };
    case 'not_recognised':
      return { status: 'not_recognised', turnId, recordingId, candidates: [...candidates] };
    case 'unusable':
      return {
        status: 'unusable',
        turnId,
        recordingId,
        reason: outcome.unusableReason ?? 'noisy',
        hint: outcome.hint ?? UNUSABLE_HINTS.noisy,
      };
    case 'not_scored':
    case null:
      return { status: 'not_scored', turnId, recordingId, candidates: [...candidates] };
    default:
      return assertNever(outcome.outcome);
  }
}
