/** Spoken turns of a live conversation that have no words: what still waits at its end is a turn of it, and somebody may write it down later. */
import { type LearnerTurn, ofFreeSpeech, ok, RecordingId, TurnId } from '@parley/domain';
import type { Answer } from '../answer/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import { readPcm16, type Recording, type Recordings } from '../recordings/index.ts';
import type { Store } from '../store/index.ts';
import { isWordless, type Session, storeTurns } from './session-rows.ts';
import { isLive } from './whose-turn.ts';

const MAX_TEXT = 4_000;

/** Who ends a conversation has said what was not sent yet, unless there is nothing in it. Call it inside a transaction. */
export function keepWhatWaits({ store, recordings }: { store: Store; recordings: Recordings }, session: Session): void {
  const waiting = isLive(session) ? recordings.waiting(session.id) : null;
  if (waiting === null || isEmpty(waiting)) return;
  const turn: LearnerTurn = {
    role: 'learner',
    turnId: TurnId.parse(waiting.turnId),
    at: waiting.createdAt.toISOString(),
    text: waiting.text ?? '',
    mode: 'voice',
    recordingId: RecordingId.parse(waiting.recordingId),
    node: null,
    fitted: true,
    assessment: waiting.assessment,
    hintLevel: waiting.hintLevel,
  };
  storeTurns(store, session, [turn]);
  recordings.markSent(waiting.recordingId);
}

const isEmpty = ({ outcome, unusableReason, sampleCount }: Recording): boolean =>
  sampleCount === 0 || (outcome === 'unusable' && unusableReason === 'silent');

export interface WritingDown {
  coach: Pick<CloudCoach, 'listen'>;
  recordings: Recordings;
}

/** The turn with its words, and with its score where whoever listened scored it too. No words: nobody can make any out. */
export async function writeDown(
  { coach, recordings }: WritingDown,
  session: Pick<Session, 'id'>,
  turn: LearnerTurn,
): Promise<Answer<LearnerTurn>> {
  if (!isWordless(turn) || turn.recordingId === null) return ok(turn);
  const pcm = await readPcm16(recordings, { recordingId: turn.recordingId });
  const understood = await coach.listen({ sessionId: session.id, pcm, takeOver: false });
  if (!understood.ok) return understood;
  const { text, assessment } = understood.value;
  return ok({
    ...turn,
    text: text.trim().slice(0, MAX_TEXT),
    assessment: assessment === null ? null : ofFreeSpeech(assessment),
  });
}
