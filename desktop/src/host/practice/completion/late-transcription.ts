/**
 * Transcribes turns of a session with a model coach that have no words when it ends, so that they can be transcribed
 * later.
 */
import { type LearnerTurn, rescoreFreeSpeech, ok, RecordingId, TurnId } from '@parley/domain';
import type { HostResult } from '../../result/index.ts';
import type { CoachClient } from '../../coach/index.ts';
import { readPcm16, type Recordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { readHintLevel } from '../session/opened-hints.ts';
import { isUntranscribed, type Session, appendTurns } from '../session/session-rows.ts';
import { hasModelCoach } from '../session/turn-order.ts';

const MAX_TRANSCRIPT_LENGTH = 4_000;

/**
 * Turns an unassessed recording into a turn when the session ends, because the learner had no chance to send or discard
 * it. Call this inside a transaction.
 */
export function commitWaitingRecording(
  { store, recordings }: { store: Store; recordings: Recordings },
  session: Session,
): void {
  const waiting = hasModelCoach(session) ? recordings.waitingRecording(session.id) : null;
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
    hintLevel: Math.max(waiting.hintLevel, readHintLevel(store, session)),
  };
  appendTurns(store, session, [turn]);
  recordings.markAsSent(waiting.recordingId);
}

export interface TranscriptionParts {
  coach: Pick<CoachClient, 'transcribeTurn'>;
  recordings: Recordings;
}

/**
 * Returns the turn with its text, and with its assessment if the transcriber also assessed it. An empty text means that
 * no words were recognisable.
 */
export async function transcribeTurn(
  { coach, recordings }: TranscriptionParts,
  session: Pick<Session, 'id'>,
  turn: LearnerTurn,
): Promise<HostResult<LearnerTurn>> {
  if (!isUntranscribed(turn) || turn.recordingId === null) return ok(turn);
  const pcm = await readPcm16(recordings, { recordingId: turn.recordingId });
  if (!pcm.ok) return pcm;
  const transcribed = await coach.transcribeTurn({ sessionId: session.id, pcm: pcm.value, takeOver: false });
  if (!transcribed.ok) return transcribed;
  const { text, assessment } = transcribed.value;
  return ok({
    ...turn,
    text: text.trim().slice(0, MAX_TRANSCRIPT_LENGTH).toWellFormed(),
    assessment: assessment === null ? null : rescoreFreeSpeech(assessment),
  });
}
