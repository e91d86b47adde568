/** Keeps turns that are still waiting to be sent when another device has ended their session. */
import type { SessionId } from '@parley/domain';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Recordings } from '../../recordings/index.ts';
import { practiceHistory, recordings as recordingRows, type Store } from '../../store/index.ts';
import { findSession } from '../session/session-rows.ts';

interface KeepUnsentTurnParts {
  store: Store;
  recordings: Recordings;
}

/** Keeps the waiting turn of one session. Does nothing if the session is not over or no turn waits. */
export function keepUnsentTurn({ store, recordings }: KeepUnsentTurnParts, sessionId: SessionId): void {
  const session = findSession(store, sessionId);
  if (!session.ok || session.value.status === 'in_progress') return;
  // A turn that is still being recorded becomes a waiting turn only when its window finishes it.
  if (recordings.waitingRecording(sessionId) === null) return;
  store.transaction(() => {
    recordings.keepWaitingAsUnsent(sessionId);
    // A window may be showing the result without this turn, so it is told to reload.
    store.markChanged('practice_history');
  });
}

/** Keeps the waiting turns of all sessions that are over, because their results may never be opened on this device. */
export function keepUnsentTurns(parts: KeepUnsentTurnParts): void {
  const { db, identity } = parts.store;
  const { userId } = identity();
  const waiting = db
    .selectDistinct({ sessionId: practiceHistory.id })
    .from(recordingRows)
    .innerJoin(practiceHistory, eq(practiceHistory.id, recordingRows.sessionId))
    .where(
      and(
        eq(recordingRows.userId, userId),
        eq(recordingRows.state, 'waiting'),
        ne(practiceHistory.status, 'in_progress'),
        isNull(practiceHistory.deletedAt),
      ),
    )
    .all();
  for (const { sessionId } of waiting) keepUnsentTurn(parts, sessionId);
}
