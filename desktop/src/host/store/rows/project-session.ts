/** Computes a session's `entireConversation` from its turns; it is never sent. */
import { projectConversation } from '@parley/domain';
import { asc, eq, sql } from 'drizzle-orm';
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
  if (rows.length === 0) return;
  store.db
    .update(practiceHistory)
    .set({ entireConversation: projectConversation(rows) })
    .where(eq(practiceHistory.id, sessionId))
    .run();
  store.markChanged('practice_history');
}

/**
 * The same for many sessions, after a pull. A first sync brings thousands before their turns, so one query finds those that have turns here.
 * Call this inside the transaction that stored them.
 */
export function updateConversations(store: Pick<Store, 'db' | 'markChanged'>, sessionIds: ReadonlySet<string>): void {
  const ids = JSON.stringify([...sessionIds]);
  const withTurns = store.db
    .selectDistinct({ id: aiConversations.sessionId })
    .from(aiConversations)
    .where(sql`${aiConversations.sessionId} in (select value from json_each(${ids}))`)
    .all();
  for (const { id } of withTurns) if (id !== null) updateConversation(store, id);
}
