/** Keeps a session's `entireConversation` as its turns say: computed here, never sent. */
import { projectConversation } from '@parley/domain';
import { asc, eq } from 'drizzle-orm';
import type { Store } from './store.ts';
import { aiConversations, practiceHistory } from './tables.ts';

/** Call it inside the transaction that changed a turn of the session. */
export function projectSession(store: Pick<Store, 'db' | 'touch'>, sessionId: string): void {
  const rows = store.db
    .select()
    .from(aiConversations)
    .where(eq(aiConversations.sessionId, sessionId))
    .orderBy(asc(aiConversations.conversationId))
    .all();
  // A first sync brings thousands of sessions before their turns.
  if (rows.length === 0) return;
  store.db
    .update(practiceHistory)
    .set({ entireConversation: projectConversation(rows) })
    .where(eq(practiceHistory.id, sessionId))
    .run();
  store.touch('practice_history');
}
