/**
 * Measures a session's duration. Each stored action adds the time since the previous one; pauses and the computer's
 * sleep are excluded.
 */
import type { Row } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { sessionClocks, type Store } from '../../store/index.ts';

/** A learner who walks away without pausing adds at most this much. */
const MAX_ACTIVE_GAP_MS = 300_000;

type TimedSession = Pick<Row<'practiceHistory'>, 'id' | 'duration' | 'pausedAt' | 'entireConversation' | 'createdAt'>;

/**
 * Returns the time up to which the duration has been counted. For a session from another device, that is its last turn.
 */
function activeUntil(store: Store, session: TimedSession): Date {
  const clock = store.db.select().from(sessionClocks).where(eq(sessionClocks.sessionId, session.id)).get();
  const lastTurn = session.entireConversation.at(-1);
  return clock?.countedUntil ?? (lastTurn === undefined ? session.createdAt : new Date(lastTurn.at));
}

/** The time since the session was last counted, without the time during which the computer slept. */
function gapMs(store: Store, session: TimedSession): number {
  const from = activeUntil(store, session);
  const sleptMs = store.clock.sleptMsSince?.(from) ?? 0;
  return Math.max(0, store.clock.now().getTime() - from.getTime() - sleptMs);
}

/** Seconds spent in the session so far. */
export function activeSeconds(store: Store, session: TimedSession): number {
  if (session.pausedAt !== null) return session.duration;
  return session.duration + Math.round(Math.min(MAX_ACTIVE_GAP_MS, gapMs(store, session)) / 1000);
}

/** Excludes a long last gap, so that an abandoned session does not count the week before it is closed. */
export const activeSecondsAtEnd = (store: Store, session: TimedSession): number =>
  gapMs(store, session) > MAX_ACTIVE_GAP_MS ? session.duration : activeSeconds(store, session);

/** Marks the duration stored in this transaction as counted up to now. */
export function markActiveUntilNow(store: Store, sessionId: string): void {
  const now = store.clock.now();
  store.db
    .insert(sessionClocks)
    .values({ sessionId, countedUntil: now })
    .onConflictDoUpdate({ target: sessionClocks.sessionId, set: { countedUntil: now } })
    .run();
}

export const deleteSessionClock = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionClocks).where(eq(sessionClocks.sessionId, sessionId)).run();
