/** How long a session took: every stored act counts the time since the act before it, pauses left out. */
import type { Row } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { sessionClocks, type Store } from '../store/index.ts';

/** A lid that was closed without a pause costs no more than this. */
const MAX_COUNTED_GAP_MS = 300_000;

type Counted = Pick<Row<'practiceHistory'>, 'id' | 'duration' | 'pausedAt' | 'entireConversation' | 'createdAt'>;

/** Until when the duration is right. A session that another device held is counted from its last turn. */
function countedUntil(store: Store, session: Counted): Date {
  const clock = store.db.select().from(sessionClocks).where(eq(sessionClocks.sessionId, session.id)).get();
  const lastTurn = session.entireConversation.at(-1);
  return clock?.countedUntil ?? (lastTurn === undefined ? session.createdAt : new Date(lastTurn.at));
}

const gapMs = (store: Store, session: Counted): number =>
  Math.max(0, store.clock.now().getTime() - countedUntil(store, session).getTime());

/** Seconds in conversation until now. */
export function countedSeconds(store: Store, session: Counted): number {
  if (session.pausedAt !== null) return session.duration;
  return session.duration + Math.round(Math.min(MAX_COUNTED_GAP_MS, gapMs(store, session)) / 1000);
}

/** The same at the end: nobody conversed in the week before an abandoned session is closed. */
export const countedSecondsAtEnd = (store: Store, session: Counted): number =>
  gapMs(store, session) > MAX_COUNTED_GAP_MS ? session.duration : countedSeconds(store, session);

/** Notes that the duration, as it is stored in this transaction, is right until now. */
export function markCounted(store: Store, sessionId: string): void {
  const now = store.clock.now();
  store.db
    .insert(sessionClocks)
    .values({ sessionId, countedUntil: now })
    .onConflictDoUpdate({ target: sessionClocks.sessionId, set: { countedUntil: now } })
    .run();
}

export const forgetClock = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionClocks).where(eq(sessionClocks.sessionId, sessionId)).run();
