/** Computes a session's `entireConversation` from its turns; it is never sent. */
import { projectConversation } from '@parley/domain';
import { asc, eq, sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { prepareOnce, prepareRowStatement, valuePlaceholder } from './prepared-statements.ts';
import { aiConversations, practiceHistory } from '../schema/tables.ts';

type Turn = typeof aiConversations.$inferSelect;

interface Statements {
  turnsOf: (sessionId: string) => Turn[];
  setConversation: (values: { id: string; entireConversation: readonly unknown[] }) => void;
}

/** A first sync computes thousands of conversations. */
const preparedStatements = prepareOnce((store): Statements => {
  const turns = store.db
    .select()
    .from(aiConversations)
    .where(eq(aiConversations.sessionId, valuePlaceholder('sessionId')))
    .orderBy(asc(aiConversations.conversationId))
    .prepare();
  const update = store.db
    .update(practiceHistory)
    .set({ entireConversation: valuePlaceholder('entireConversation') })
    .where(eq(practiceHistory.id, valuePlaceholder('id')));
  return {
    turnsOf: (sessionId) => turns.all({ sessionId }),
    setConversation: prepareRowStatement(store, practiceHistory, update.toSQL()),
  };
});

/** Call this inside the transaction that changed a turn of the session. */
export function updateConversation(store: Store, sessionId: string): void {
  const { turnsOf, setConversation } = preparedStatements(store);
  const turns = turnsOf(sessionId);
  if (turns.length === 0) return;
  setConversation({ id: sessionId, entireConversation: projectConversation(turns) });
  store.markChanged('practice_history');
}

/**
 * Does the same for many sessions, after a pull. A first sync brings thousands of sessions before their turns, so one
 * query finds those that have turns here. Call this inside the transaction that stored them.
 */
export function updateConversations(store: Store, sessionIds: ReadonlySet<string>): void {
  const ids = JSON.stringify([...sessionIds]);
  const withTurns = store.db
    .selectDistinct({ id: aiConversations.sessionId })
    .from(aiConversations)
    .where(sql`${aiConversations.sessionId} in (select value from json_each(${ids}))`)
    .all();
  for (const { id } of withTurns) if (id !== null) updateConversation(store, id);
}
