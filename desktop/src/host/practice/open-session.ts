/** A session that is not over: who may still speak in it, and how its clock stands still. */
import { ok, type SessionId } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import { type Store, updateRow } from '../store/index.ts';
import { countedSeconds, markCounted } from './counted-time.ts';
import { findSession, hasEnded, type Session } from './session-rows.ts';
import { scoringOf } from './session-view.ts';

/** A session in which the learner may still speak. */
export function findOpen(store: Store, sessionId: SessionId): Answer<Session> {
  const session = findSession(store, sessionId);
  if (!session.ok) return session;
  if (session.value.status !== 'in_progress') return failed('session.already_completed');
  if (scoringOf(store, session.value) !== null || hasEnded(session.value)) return failed('session.ended');
  return ok(session.value);
}

export function pauseSession(store: Store, session: Session): void {
  if (session.pausedAt !== null) return;
  store.transaction(() => {
    const duration = countedSeconds(store, session);
    updateRow(store, 'practiceHistory', session.id, { pausedAt: store.clock.now(), duration });
    markCounted(store, session.id);
  });
}

export function resumeSession(store: Store, session: Session): void {
  if (session.pausedAt === null) return;
  store.transaction(() => {
    updateRow(store, 'practiceHistory', session.id, { pausedAt: null });
    markCounted(store, session.id);
  });
}
