/**
 * Stores which hints the learner opened for the current turn on this device, so that reloading the window does not
 * reset them.
 */
import { eq } from 'drizzle-orm';
import { sessionHints, type Store } from '../../store/index.ts';
import { findSession, type Session } from './session-rows.ts';

type SessionAtTurn = Pick<Session, 'id' | 'entireConversation'>;

/** Returns 0 when no hint was opened, up to 3. */
export function readHintLevel(store: Store, { id, entireConversation }: SessionAtTurn): number {
  const opened = store.db.select().from(sessionHints).where(eq(sessionHints.sessionId, id)).get();
  // Another device may have continued the session in the meantime.
  return opened?.turnCount === entireConversation.length ? opened.level : 0;
}

/** `asked` is the session at the time of the request. A hint that arrives after its turn did not help with it. */
export function saveHintLevel(store: Store, asked: SessionAtTurn, opened: number): void {
  store.transaction(() => {
    const session = findSession(store, asked.id);
    const turnCount = asked.entireConversation.length;
    if (!session.ok || session.value.entireConversation.length !== turnCount) return;
    const hints = { turnCount, level: Math.max(opened, readHintLevel(store, session.value)) };
    store.db
      .insert(sessionHints)
      .values({ sessionId: asked.id, ...hints })
      .onConflictDoUpdate({ target: sessionHints.sessionId, set: hints })
      .run();
    store.markChanged('session_hints');
  });
}

/** Call this when the turn was stored or the session is over. */
export const deleteHints = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionHints).where(eq(sessionHints.sessionId, sessionId)).run();
