/** Finds the recording of the turn that waits to be sent. */
import { ok, type SessionId, type TurnId } from '@parley/domain';
import type { Recording, Recordings } from '../../recordings/index.ts';
import { type HostResult, failed } from '../../result/index.ts';

export function findWaitingRecording(
  recordings: Recordings,
  { sessionId, turnId }: { sessionId: SessionId; turnId: TurnId },
): HostResult<Recording> {
  const waiting = recordings.waitingRecording(sessionId);
  return waiting === null || waiting.turnId !== turnId ? failed('turn.not_found') : ok(waiting);
}
