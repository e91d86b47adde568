/**
 * Stores typed text that has not been sent on this device, so that a pause, a closed window or a crash does not lose
 * it.
 */
import type { SessionId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { sessionDrafts, type Store } from '../../store/index.ts';

export const readDraft = (store: Store, sessionId: SessionId): string =>
  store.db.select().from(sessionDrafts).where(eq(sessionDrafts.sessionId, sessionId)).get()?.text ?? '';

export function saveDraft(store: Store, sessionId: SessionId, text: string): void {
  if (text === '') return deleteDraft(store, sessionId);
  store.db
    .insert(sessionDrafts)
    .values({ sessionId, text })
    .onConflictDoUpdate({ target: sessionDrafts.sessionId, set: { text } })
    .run();
}

/**
 * Keeps a draft that is not what was sent: the learner spoke instead, or typed it while the coach was being prepared or
 * in another window.
 */
export function deleteSentDraft(store: Store, sessionId: SessionId, sent: string): void {
  if (readDraft(store, sessionId).trim() === sent.trim()) deleteDraft(store, sessionId);
}

/** Call this when the session is discarded. A session that ends keeps the draft for its result. */
export const deleteDraft = (store: Store, sessionId: string): void =>
  void store.db.delete(sessionDrafts).where(eq(sessionDrafts.sessionId, sessionId)).run();
