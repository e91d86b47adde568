/**
 * Deletes a finished session together with its words in the attempt log, and restores both. The turns stay with the
 * tombstone, and the recordings are kept for a week.
 */
import { entities, ok, type SessionId } from '@parley/domain';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { failed, type HostResult } from '../result/index.ts';
import {
  insertRow,
  type NewRow,
  practiceHistory,
  removeRow,
  type Store,
  updateWords,
  wordAttempts,
} from '../store/index.ts';

export function removeSession(store: Store, sessionId: SessionId): HostResult<void> {
  const session = findSession(store, sessionId, { isDeleted: false });
  if (session === undefined || session.status === 'in_progress') return failed('session.not_found');
  store.transaction(() => {
    removeRow(store, 'practiceHistory', sessionId);
    const attempts = attemptsOf(store, sessionId, { isDeleted: false });
    for (const { id } of attempts) removeRow(store, 'wordAttempts', id);
    updateTouched(store, attempts);
  });
  return ok(undefined);
}

export function restoreSession(store: Store, sessionId: SessionId): HostResult<void> {
  const session = findSession(store, sessionId, { isDeleted: true });
  if (session === undefined) return failed('session.not_found');
  store.transaction(() => {
    insertRow(store, 'practiceHistory', withoutSyncColumns('practiceHistory', session));
    const attempts = attemptsOf(store, sessionId, { isDeleted: true });
    for (const attempt of attempts) insertRow(store, 'wordAttempts', withoutSyncColumns('wordAttempts', attempt));
    updateTouched(store, attempts);
  });
  return ok(undefined);
}

function updateTouched(store: Store, attempts: readonly { word: string; day: string }[]): void {
  const words = new Set(attempts.map(({ word }) => word));
  updateWords(store, { words, days: new Set(attempts.map(({ day }) => day)) });
}

const findSession = (store: Store, sessionId: SessionId, { isDeleted }: { isDeleted: boolean }) =>
  store.db
    .select()
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.id, sessionId),
        eq(practiceHistory.userId, store.identity().userId),
        isDeleted ? isNotNull(practiceHistory.deletedAt) : isNull(practiceHistory.deletedAt),
      ),
    )
    .get();

const attemptsOf = (store: Store, sessionId: SessionId, { isDeleted }: { isDeleted: boolean }) =>
  store.db
    .select()
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.sessionId, sessionId),
        eq(wordAttempts.userId, store.identity().userId),
        isDeleted ? isNotNull(wordAttempts.deletedAt) : isNull(wordAttempts.deletedAt),
      ),
    )
    .all();

const SYNC_COLUMNS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'syncVersion',
  'deletedAt',
  'entireConversation',
]);

/** The fields that the row had when it was created. */
const withoutSyncColumns = <Key extends 'practiceHistory' | 'wordAttempts'>(
  key: Key,
  row: Record<string, unknown>,
): NewRow<Key> =>
  Object.fromEntries(
    Object.keys(entities[key].fields)
      .filter((name) => !SYNC_COLUMNS.has(name))
      .map((name) => [name, row[name]]),
  ) as NewRow<Key>;
