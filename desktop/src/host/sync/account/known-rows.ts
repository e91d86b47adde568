/**
 * Asks which of this device's rows are already in the account that it is about to join. That happens if a computer of
 * that account has imported a file from this device, or if this device has imported a file of that account with an app
 * version that did not remember it. The rows then move under the ids that they have there.
 */
import { MAX_KNOWN_ROWS_AT_ONCE } from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import { asc, eq } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ServerClient, StoredCredentials } from '../../server/index.ts';
import {
  importedRows,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  ownerColumn,
  type Store,
  tables,
  wordAttempts,
} from '../../store/index.ts';
import { rowIdMover } from './row-id-mover.ts';

/**
 * These rows use the learner's id, have an id that is derived from the account anyway, or keep theirs in each account.
 */
const NOT_ASKED_FOR: ReadonlySet<LearnerKey> = new Set([
  'users',
  'pronunciationImprovementSummary',
  'enrollments',
  'coachAssignmentHistory',
]);
const ASKED_FOR = LEARNER_KEYS.filter((key) => !NOT_ASKED_FOR.has(key));

/** Remembers the ids, so that the move gives them back to the rows. Call this only if the rows move along. */
export async function rememberKnownRows(
  client: ServerClient,
  { store, credentials: { userId: to, token } }: { store: Store; credentials: StoredCredentials },
): Promise<void> {
  const { userId: from } = store.identity();
  if (from === to) return;
  const moveId = rowIdMover({ from, to });

  async function findKnown(ids: readonly string[]): Promise<{ rowId: string; originalId: string }[]> {
    const idsThere = new Map(ids.map((id) => [moveId(id), id]));
    const asked = [...idsThere.keys()];
    const known: string[] = [];
    for (let index = 0; index < asked.length; index += MAX_KNOWN_ROWS_AT_ONCE) {
      const answer = await client.account.knownRows(
        { ids: asked.slice(index, index + MAX_KNOWN_ROWS_AT_ONCE) },
        { context: { token } },
      );
      known.push(...answer.ids);
    }
    return known.flatMap((originalId) => {
      const rowId = idsThere.get(originalId);
      return rowId === undefined ? [] : [{ rowId, originalId }];
    });
  }

  // Most accounts have none of the rows, which asking about the sessions and the oldest drills is enough to find out.
  const first = await findKnown([...idsOf(store, 'practiceHistory', from), ...oldestAttempts(store, from)]);
  if (first.length === 0) return;
  const known = await findKnown(ASKED_FOR.flatMap((key) => idsOf(store, key, from)));
  store.transaction(() => {
    for (const { rowId, originalId } of known)
      store.db.insert(importedRows).values({ rowId, fromUserId: to, originalId }).onConflictDoNothing().run();
  });
}

const idsOf = ({ db }: Store, key: LearnerKey, userId: LearnerId): string[] =>
  db
    .select({ id: keyColumn(key) })
    .from(tables[key] as SQLiteTable)
    .where(eq(ownerColumn(key), userId))
    .all()
    .map(({ id }) => String(id));

const oldestAttempts = ({ db }: Store, userId: LearnerId): string[] =>
  db
    .select({ id: wordAttempts.id })
    .from(wordAttempts)
    .where(eq(wordAttempts.userId, userId))
    .orderBy(asc(wordAttempts.at))
    .limit(500)
    .all()
    .map(({ id }) => id);
