/** Computes a session's `entireConversation` from its turns; it is never sent. */
import { projectConversation } from '@parley/domain';
import { asc, eq } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { aiConversations, practiceHistory } from '../schema/tables.ts';

/** Call this inside the transaction that changed a turn of the session. */
export function updateConversation(store: Pick<Store, 'db' | 'markChanged'>, sessionId: string): void {
  const rows = store.db
    .select()
    .from(aiConversations)
    .where(eq(aiConversations.sessionId, sessionId))
    .orderBy(asc(aiConversations.conversationId))
    .all();
  // A first sync pulls thousands of sessions before their turns.
  if (rows.length === 0) return;
  store.db
    .update(practiceHistory)
    .set({ entireConversation: projectConversation(rows) })
    .where(eq(practiceHistory.id, sessionId))
    .run();
  store.markChanged('practice_history');
}
