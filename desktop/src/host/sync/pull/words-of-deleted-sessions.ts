/**
 * Deletes words that arrive after their session was deleted here. If a device deletes a session while it is still
 * pulling the session's words, it cannot delete them with the session, and they would stay in review and progress on
 * all devices.
 */
import { entities, type FieldClocks, isLater, latestTime, type Row } from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { outbox, practiceHistory, readRow, removeRow, type Store } from '../../store/index.ts';

type Attempt = Pick<Row<'wordAttempts'>, 'id' | 'sessionId'> & { fieldClocks?: FieldClocks };

/** Call this inside the transaction that stored the attempts. Returns whether it has deleted any. */
export function removeWordsOfDeletedSessions(store: Store, attempts: readonly Attempt[]): boolean {
  const deletedAtBySession = new Map<string, string | null>();
  const timeOfDeletion = (sessionId: string): string | null => {
    const known = deletedAtBySession.get(sessionId);
    if (known !== undefined) return known;
    const time = readTimeOfDeletion(store, sessionId);
    deletedAtBySession.set(sessionId, time);
    return time;
  };
  const deleted = attempts.filter(({ id, sessionId, fieldClocks }) => {
    const time = sessionId === null ? null : timeOfDeletion(sessionId);
    // Words that were said or restored after the deletion stay.
    if (time === null || !isLater(time, latestTime(Object.values(fieldClocks ?? {})))) return false;
    // Their deletion may already be queued.
    return readRow(store, 'wordAttempts', id)?.['deletedAt'] === null;
  });
  for (const { id } of deleted) removeRow(store, 'wordAttempts', id);
  return deleted.length > 0;
}

/** Returns null for a session that is not deleted here. */
function readTimeOfDeletion(store: Store, sessionId: string): string | null {
  const session = store.db
    .select({ deletedAt: practiceHistory.deletedAt, clocks: practiceHistory.fieldClocks })
    .from(practiceHistory)
    .where(eq(practiceHistory.id, sessionId))
    .get();
  if (session === undefined || session.deletedAt === null) return null;
  // The time of a deletion that no server has confirmed is only in the outbox.
  const unsent = store.db
    .select({ at: outbox.at })
    .from(outbox)
    .where(
      and(eq(outbox.tableName, entities.practiceHistory.name), eq(outbox.rowId, sessionId), eq(outbox.op, 'delete')),
    )
    .all();
  return latestTime([session.clocks['deletedAt'], ...unsent.map(({ at }) => at)]);
}
