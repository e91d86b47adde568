/** Finds the recording of the turn that waits to be sent, and says whether there is anything to send. */
import { ok, type SessionId, type TurnId } from '@parley/domain';
import type { Recording, Recordings } from '../../recordings/index.ts';
import { type HostResult, failed } from '../../result/index.ts';

/** The learner had said nothing when the recording was interrupted, so there is no turn to offer. */
export const isInterruptedSilence = ({
  isInterrupted,
  unusableReason,
}: Pick<Recording, 'isInterrupted' | 'unusableReason'>): boolean => isInterrupted && unusableReason === 'silent';

/**
 * Whether another window has recorded a waiting turn that the window showing `shown` would replace without having shown
 * it.
 */
export function waitsUnseen(
  recordings: Recordings,
  { sessionId, shown }: { sessionId: SessionId; shown: TurnId | null | undefined },
): boolean {
  if (shown === undefined) return false;
  const waiting = recordings.waitingRecording(sessionId);
  return waiting !== null && waiting.turnId !== shown && !isInterruptedSilence(waiting);
}

export function findWaitingRecording(
  recordings: Recordings,
  { sessionId, turnId }: { sessionId: SessionId; turnId: TurnId },
): HostResult<Recording> {
  const waiting = recordings.waitingRecording(sessionId);
  return waiting === null || waiting.turnId !== turnId ? failed('turn.not_found') : ok(waiting);
}
