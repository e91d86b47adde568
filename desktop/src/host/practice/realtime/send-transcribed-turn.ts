/** Sends the waiting turn when a call begins, if its words are known already. */
import { ok, type SessionId } from '@parley/domain';
import type { HostResult } from '../../result/index.ts';
import type { Recordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { findOpenSession } from '../session/open-session.ts';
import { commitTurnForModel, toSaidTurn } from '../turn/commit-turn.ts';

/**
 * Returns whether there was such a turn. Its audio must not be sent: it would be transcribed again, its minutes would
 * count twice, and the learner's corrections would be lost.
 */
export function sendTranscribedTurn(
  { store, recordings }: { store: Store; recordings: Recordings },
  sessionId: SessionId,
): HostResult<boolean> {
  return store.transaction(() => {
    const session = findOpenSession(store, sessionId);
    if (!session.ok) return session;
    const waiting = recordings.waitingRecording(sessionId);
    const said = waiting === null ? null : toSaidTurn(waiting);
    if (waiting === null || said === null) return ok(false);
    commitTurnForModel(store, session.value, said);
    recordings.markAsSent(waiting.recordingId);
    return ok(true);
  });
}
