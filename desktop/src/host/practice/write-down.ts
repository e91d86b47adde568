/** Spoken turns of a live conversation that have no words: what still waits at its end is a turn of it, and somebody may write it down later. */
import { type LearnerTurn, ofFreeSpeech, ok, RecordingId, TurnId } from '@parley/domain';
import type { Answer } from '../answer/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import { readPcm16, type Recordings } from '../recordings/index.ts';
import type { Store } from '../store/index.ts';
import { hintLevelOf } from './opened-hints.ts';
import { isWordless, type Session, storeTurns } from './session-rows.ts';
import { isLive } from './whose-turn.ts';

const MAX_TEXT = 4_000;

/**
 * What nobody has listened to when a conversation ends is a turn of it: its learner has had no chance to send it, or to take it back.
 * Call it inside a transaction.
 */
export function keepWhatWaits({ store, recordings }: { store: Store; recordings: Recordings }, session: Session): void {
  const waiting = isLive(session) ? recordings.waiting(session.id) : null;
  if (waiting === null || waiting.outcome !== null || waiting.sampleCount === 0) return;
  const turn: LearnerTurn = {
    role: 'learner',
    turnId: TurnId.parse(waiting.turnId),
    at: waiting.createdAt.toISOString(),
    text: '',
    mode: 'voice',
    recordingId: RecordingId.parse(waiting.recordingId),
    node: null,
    fitted: true,
    assessment: null,
    hintLevel: Math.max(waiting.hintLevel, hintLevelOf(store, session)),
  };
  storeTurns(store, session, [turn]);
  recordings.markSent(waiting.recordingId);
}

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
  if (!pcm.ok) return pcm;
  const understood = await coach.listen({ sessionId: session.id, pcm: pcm.value, takeOver: false });
  if (!understood.ok) return understood;
  const { text, assessment } = understood.value;
  return ok({
    ...turn,
    text: text.trim().slice(0, MAX_TEXT),
    assessment: assessment === null ? null : ofFreeSpeech(assessment),
  });
}
