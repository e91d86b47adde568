/**
 * Asks which of this device's rows are already in the account that it is about to join. That happens if a computer of
 * that account has imported a file from this device, or if this device has imported a file of that account with an app
 * version that did not remember it. The rows then move under the ids that they have there.
 */
import { MAX_KNOWN_ROWS_AT_ONCE } from '@parley/contract';
import type { LearnerId } from '@parley/domain';
import { asc, eq, ne } from 'drizzle-orm';
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
import { deriveRowId } from './rename-rows.ts';
import { listImported } from './returning-rows.ts';
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

type ListKnown = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Remembers the ids, so that the move gives them back to the rows. Call this only if the rows move along. */
export async function rememberKnownRows(
  client: ServerClient,
  { store, credentials: { userId: to, token } }: { store: Store; credentials: StoredCredentials },
): Promise<void> {
  const { userId: from } = store.identity();
  if (from === to) return;
  const listKnown: ListKnown = async (ids) => {
    const known = new Set<string>();
    for (let index = 0; index < ids.length; index += MAX_KNOWN_ROWS_AT_ONCE) {
      const asked = ids.slice(index, index + MAX_KNOWN_ROWS_AT_ONCE);
      for (const id of (await client.account.knownRows({ ids: asked }, { context: { token } })).ids) known.add(id);
    }
    return known;
  };
  const known = await findKnownRows(store, { from, to, listKnown });
  const imported = await placeImportedRows(store, { from, to, listKnown, known });
  store.transaction(() => {
    for (const [rowId, originalId] of [...known, ...imported])
      store.db.insert(importedRows).values({ rowId, fromUserId: to, originalId }).onConflictDoNothing().run();
  });
}

interface KnownRowsParts {
  from: LearnerId;
  to: LearnerId;
  listKnown: ListKnown;
}

/** Each row's id here, with its id in the account. */
type RowIds = ReadonlyMap<string, string>;

async function findKnownRows(store: Store, { from, to, listKnown }: KnownRowsParts): Promise<RowIds> {
  const moveId = rowIdMover({ from, to });
  const findKnown = async (ids: readonly string[]): Promise<RowIds> => {
    const idsThere = new Map(ids.map((id) => [id, moveId(id)]));
    const known = await listKnown([...idsThere.values()]);
    return new Map([...idsThere].filter(([, idThere]) => known.has(idThere)));
  };
  // Most accounts have none of the rows. To find that out, it is enough to ask about the sessions and the oldest drills.
  const first = await findKnown([...idsOf(store, 'practiceHistory', from), ...oldestAttempts(store, from)]);
  return first.size === 0 ? first : findKnown(ASKED_FOR.flatMap((key) => idsOf(store, key, from)));
}

/**
 * The ids of rows that this device has imported, for an account that is neither its own nor that of the file. If one of
 * these two has already brought them there, they have a derived id. Otherwise, they get the id that an import would
 * give them, under which the computer from which the file came finds them when it joins the account too.
 */
async function placeImportedRows(
  store: Store,
  { from, to, listKnown, known }: KnownRowsParts & { known: RowIds },
): Promise<RowIds> {
  const rows = ASKED_FOR.flatMap((key) => listImported(store, key, ne(importedRows.fromUserId, to))).filter(
    ({ rowId }) => !known.has(rowId),
  );
  const derivedIds = (row: { rowId: string; originalId: string }): string[] =>
    [row.originalId, row.rowId].map((id) => deriveRowId(id, to));
  const derived = await listKnown(rows.flatMap(derivedIds));
  const moveId = rowIdMover({ from, to });
  const ids = new Map<string, string>();
  // A row that several files contained is listed once for each of them.
  for (const row of rows) {
    const found = derivedIds(row).find((id) => derived.has(id));
    if (found !== undefined || !ids.has(row.rowId)) ids.set(row.rowId, found ?? moveId(row.rowId));
  }
  return ids;
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
