/** Gives rows new ids for another account, deterministically and wherever they are referenced. */
import { enrolmentId, entities, type Field, type LearnerId } from '@parley/domain';
import { and, eq, getTableColumns, getTableName, inArray, ne, not, or, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Statement } from 'better-sqlite3';
import { createHash } from 'node:crypto';
import {
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  recordingCopies,
  recordings,
  rejectedChanges,
  scoringAttempts,
  sessionClocks,
  sessionDrafts,
  sessionHints,
  type Store,
  tables,
} from '../../store/index.ts';
import type { ReturningRows } from './returning-rows.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** These rows use the learner's id. */
const KEYED_BY_LEARNER: readonly LearnerKey[] = ['users', 'pronunciationImprovementSummary'];
const RENAMED_KEYS = LEARNER_KEYS.filter((key) => !KEYED_BY_LEARNER.includes(key));

/**
 * Derives a version 8 UUID (RFC 9562) from the old id and the account, so that repeating a move after a crash or from
 * an old backup does not duplicate rows. An imported row must not get the id that it has in the account from which it
 * came, as an import would give it: moved rows are sent as new ones and would replace newer values there.
 */
export function deriveRowId(id: string, accountId: string): string {
  const hex = createHash('sha256').update(`${accountId}/${id}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

interface RenameOptions {
  accountId: string;
  returning: ReturningRows;
  /** Whether the other rows get new ids too. */
  renamesOthers: boolean;
}

/** Call this inside a transaction with deferred foreign keys. Returns the ids that the returning rows have from now on. */
export function renameRows(store: Store, { accountId, returning, renamesOthers }: RenameOptions): ReadonlySet<string> {
  const newIds = new Map<string, string>();
  const ids = RENAMED_KEYS.flatMap((key) => idsOf(store, key));
  if (renamesOthers) for (const id of ids) newIds.set(id, deriveRowId(id, accountId));
  // Each row needs an id of its own, even while the others still have their old ones.
  const taken = new Set([...ids, ...newIds.values()]);
  for (const [id, originalId] of returning) {
    if (id !== originalId && taken.has(originalId)) continue;
    newIds.set(id, originalId);
    taken.add(originalId);
  }
  // An enrolment's id is built from its account and course.
  if (renamesOthers)
    for (const { enrollmentId, courseId } of store.db.select().from(tables.enrollments).all())
      newIds.set(enrollmentId, enrolmentId(accountId, courseId));
  const rename = renamer(newIds);
  for (const key of RENAMED_KEYS) {
    renameIds(store, tables[key], { columns: columnsWithIds(key), rename });
    store.markChanged(entities[key].name);
  }
  renameInDeviceTables(store, rename);
  return new Set([...returning.keys()].map((id) => newIds.get(id) ?? id));
}

type Rename = (text: string) => string;

const renamer =
  (newIds: ReadonlyMap<string, string>): Rename =>
  (text) =>
    text.replaceAll(UUID, (id) => newIds.get(id) ?? id);

/**
 * Does the same for changes parked for an account whose rows do not exist here in any other form. Changes to rows that
 * they do not create, and to the profile, are deleted, because these rows belonged to the server.
 */
export function renameParkedRows(store: Store, { from, to }: { from: LearnerId; to: LearnerId }): void {
  const isParked = eq(outbox.parkedFor, from);
  const newIds = new Map<string, string>([[from, to]]);
  const created = store.db
    .select({
      tableName: outbox.tableName,
      rowId: outbox.rowId,
      courseId: sql<string>`${outbox.fields} ->> 'courseId'`,
    })
    .from(outbox)
    .where(and(isParked, eq(outbox.creates, true), ne(outbox.tableName, entities.users.name)))
    .all();
  for (const { tableName, rowId, courseId } of created)
    if (tableName === entities.enrollments.name) newIds.set(rowId, enrolmentId(to, courseId));
    else if (rowId !== from) newIds.set(rowId, deriveRowId(rowId, to));
  const isCreated = inArray(outbox.rowId, sql`(select value from json_each(${JSON.stringify([...newIds.keys()])}))`);
  store.db
    .delete(outbox)
    .where(and(isParked, or(eq(outbox.tableName, entities.users.name), not(isCreated))))
    .run();
  // The account has its own coach.
  store.db
    .update(outbox)
    .set({ fields: sql`json_set(${outbox.fields}, '$.assignmentEndDate', ${store.clock.now().toISOString()})` })
    .where(
      and(
        isParked,
        eq(outbox.tableName, entities.coachAssignmentHistory.name),
        sql`json_type(${outbox.fields}, '$.assignmentEndDate') = 'null'`,
      ),
    )
    .run();
  // The list to which words were added was the server's, and the account may have none yet. If both create it, the two
  // are merged.
  store.db
    .update(outbox)
    .set({ creates: true, fields: sql`json_set(${outbox.fields}, '$.userId', ${to})` })
    .where(and(isParked, eq(outbox.tableName, entities.pronunciationImprovementSummary.name), eq(outbox.op, 'upsert')))
    .run();
  const rename = renamer(newIds);
  renameIds(store, outbox, { columns: [outbox.rowId, outbox.fields], rename });
  renameInDeviceTables(store, rename);
}

function renameInDeviceTables(store: Store, rename: Rename): void {
  renameIds(store, recordings, { columns: [recordings.sessionId, recordings.turnId], rename });
  renameIds(store, recordingCopies, { columns: [recordingCopies.sessionId], rename });
  renameIds(store, rejectedChanges, { columns: [rejectedChanges.rowId, rejectedChanges.fields], rename });
  for (const table of [scoringAttempts, sessionClocks, sessionDrafts, sessionHints])
    renameIds(store, table, { columns: [table.sessionId], rename });
}

const idsOf = ({ db, sqlite }: Store, key: LearnerKey): string[] =>
  sqlite
    .prepare<[], string>(
      db
        .select({ id: keyColumn(key) })
        .from(tables[key] as SQLiteTable)
        .toSQL().sql,
    )
    .pluck()
    .all();

/** The columns that contain ids, or JSON with ids inside. Text written by the learner stays unchanged. */
function columnsWithIds(key: LearnerKey): AnySQLiteColumn[] {
  const columns = getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>;
  return Object.entries(entities[key].fields as Record<string, Field>).flatMap(([name, { kind }]) => {
    const column = columns[name];
    return column !== undefined && (kind === 'id' || kind === 'json') ? [column] : [];
  });
}

const ROWS_AT_ONCE = 500;

/**
 * Renames ids in the stored columns; JSON contains an id literally. The rows are read in batches, because no row can be
 * written while they are being read, and a long history would not fit into memory.
 */
function renameIds(
  { sqlite }: Store,
  table: SQLiteTable,
  { columns, rename }: { columns: readonly AnySQLiteColumn[]; rename: Rename },
): void {
  const name = getTableName(table);
  const names = columns.map((column) => `"${column.name}"`);
  const select = sqlite
    .prepare<[number], [number, ...(string | null)[]]>(
      `SELECT rowid, ${names.join(', ')} FROM "${name}" WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`,
    )
    .raw();
  // Columns that do not change are not written, because SQLite would update their indexes too.
  const updates = new Map<string, Statement>();
  const updateOf = (assignments: string): Statement => {
    const update = updates.get(assignments) ?? sqlite.prepare(`UPDATE "${name}" SET ${assignments} WHERE rowid = ?`);
    updates.set(assignments, update);
    return update;
  };
  // Restores are queued before everything else, at negative positions.
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = select.all(last);
    for (const [rowid, ...values] of rows) {
      const changed = names.flatMap((column, index) => {
        const value = values[index] ?? null;
        const renamed = value === null ? null : rename(value);
        return renamed === value ? [] : [{ assignment: `${column} = ?`, renamed }];
      });
      if (changed.length > 0)
        updateOf(changed.map(({ assignment }) => assignment).join(', ')).run(
          ...changed.map(({ renamed }) => renamed),
          rowid,
        );
      last = rowid;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
