/** What a learner has typed and not sent yet: kept on this device, so that no pause, closed window or crash loses it. */
import type { SessionId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { sessionDrafts, type Store } from '../store/index.ts';

export const readDraft = (store: Store, sessionId: SessionId): string =>
  store.db.select().from(sessionDrafts).where(eq(sessionDrafts.sessionId, sessionId)).get()?.text ?? '';

export function keepDraft(store: Store, sessionId: SessionId, text: string): void {
  if (text === '') return forgetDraft(store, sessionId);
  store.db
    .insert(sessionDrafts)
    .values({ sessionId, text })
    .onConflictDoUpdate({ target: sessionDrafts.sessionId, set: { text } })
    .run();
}

/** The turn was sent, or nobody can send one any more. */
export const forgetDraft = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionDrafts).where(eq(sessionDrafts.sessionId, sessionId)).run();
