/** Finds open sessions, and pauses and resumes them. */
import { ok, type SessionId } from '@parley/domain';
import { type HostResult, failed } from '../../result/index.ts';
import { type Store, updateRow } from '../../store/index.ts';
import { activeSeconds, markActiveUntilNow } from './active-time.ts';
import { findSession, hasEnded, type Session } from './session-rows.ts';
import { findPendingScoring } from './session-view.ts';
import { isCoachsTurn } from './turn-order.ts';

/** Finds a session in which the learner may still speak. */
export function findOpenSession(store: Store, sessionId: SessionId): HostResult<Session> {
  const session = findSession(store, sessionId);
  if (!session.ok) return session;
  if (session.value.status !== 'in_progress') return failed('session.already_completed');
  if (findPendingScoring(store, session.value) !== null || hasEnded(session.value)) return failed('session.ended');
  return ok(session.value);
}

/** Finds an open session in which it is the learner's turn. */
export function findOnLearnersTurn(store: Store, sessionId: SessionId): HostResult<Session> {
  const session = findOpenSession(store, sessionId);
  if (!session.ok) return session;
  if (session.value.pausedAt !== null) return failed('turn.not_ready', { detail: 'paused' });
  return isCoachsTurn(session.value) ? failed('turn.not_ready', { detail: 'coach' }) : session;
}

export function pauseSession(store: Store, session: Session): void {
  if (session.pausedAt !== null) return;
  store.transaction(() => {
    const duration = activeSeconds(store, session);
    updateRow(store, 'practiceHistory', session.id, { pausedAt: store.clock.now(), duration });
    markActiveUntilNow(store, session.id);
  });
}

export function resumeSession(store: Store, session: Session): void {
  if (session.pausedAt === null) return;
  store.transaction(() => {
    updateRow(store, 'practiceHistory', session.id, { pausedAt: null });
    markActiveUntilNow(store, session.id);
  });
}
