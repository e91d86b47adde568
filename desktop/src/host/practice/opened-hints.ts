/** The hints that a learner has opened for the turn that they are at: kept on this device, so that a reloaded window cannot forget them. */
import { eq } from 'drizzle-orm';
import { sessionHints, type Store } from '../store/index.ts';
import { findSession, type Session } from './session-rows.ts';

type AtTurn = Pick<Session, 'id' | 'entireConversation'>;

/** 0 when none was opened, up to 3. */
export function hintLevelOf(store: Store, { id, entireConversation }: AtTurn): number {
  const opened = store.db.select().from(sessionHints).where(eq(sessionHints.sessionId, id)).get();
  // Another device may have gone on with this session meanwhile.
  return opened?.turnCount === entireConversation.length ? opened.level : 0;
}

/** `asked`: the session when the hint was asked for. A hint that comes after its turn did not help with it. */
export function keepHintLevel(store: Store, asked: AtTurn, opened: number): void {
  store.transaction(() => {
    const session = findSession(store, asked.id);
    const turnCount = asked.entireConversation.length;
    if (!session.ok || session.value.entireConversation.length !== turnCount) return;
    const hints = { turnCount, level: Math.max(opened, hintLevelOf(store, session.value)) };
    store.db
      .insert(sessionHints)
      .values({ sessionId: asked.id, ...hints })
      .onConflictDoUpdate({ target: sessionHints.sessionId, set: hints })
      .run();
    store.touch('session_hints');
  });
}

/** The turn was stored, or the session is over. */
export const forgetHints = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionHints).where(eq(sessionHints.sessionId, sessionId)).run();
