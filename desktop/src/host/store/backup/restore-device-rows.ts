/**
 * Copies the rows that exist only on this device (recordings, drills, drafts and settings) from a damaged database into
 * the restored one. The damaged database is newer than any backup, so its readable rows replace those of the backup.
 */
import { getTableColumns, getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isConstraintFailure, openForReading, type Sqlite } from '../connection.ts';
import {
  deviceSettings,
  drillAttempts,
  importedRows,
  readPosts,
  recordingCopies,
  recordingKeeping,
  recordings,
  recordingUploads,
  scoringAttempts,
  sessionClocks,
  sessionDrafts,
  sessionHints,
  videoPositions,
  waitingReports,
} from '../schema/device-tables.ts';
import type { Store } from '../store.ts';
import { readRowByRow, tryOrNull } from './read-row-by-row.ts';

const TABLES: readonly SQLiteTable[] = [
  recordings,
  drillAttempts,
  sessionDrafts,
  sessionHints,
  sessionClocks,
  scoringAttempts,
  deviceSettings,
  recordingKeeping,
  recordingUploads,
  recordingCopies,
  videoPositions,
  readPosts,
  waitingReports,
  importedRows,
];

/** Call this inside a transaction. It can be repeated. */
export function restoreDeviceRows(store: Store, damagedFile: string): void {
  const damaged = tryOrNull(() => openForReading(damagedFile));
  if (damaged === null) return distrustChoices(store, { except: new Set() });
  try {
    for (const table of TABLES) restoreTable(store, damaged, table);
    const known = new Set<unknown>();
    const isRead = readRowByRow(damaged, getTableName(recordingKeeping), {
      parse: (row) => parseRow(recordingKeeping, row),
      take: ({ userId }) => known.add(userId),
    });
    if (!isRead) distrustChoices(store, { except: known });
  } finally {
    damaged.close();
  }
  // The list of copies may have lost rows, so it is read again from the beginning.
  store.db.update(recordingKeeping).set({ generation: null, listedUntil: 0 }).run();
}

/**
 * The learner may have switched copies off since the backup, without the server knowing it. Nothing is sent until the
 * learner has chosen again.
 */
function distrustChoices({ db, identity, markChanged }: Store, { except }: { except: ReadonlySet<unknown> }): void {
  const recorded = db.selectDistinct({ userId: recordings.userId }).from(recordings).all();
  const chosen = db.select({ userId: recordingKeeping.userId }).from(recordingKeeping).all();
  const set = { isOn: false, pendingChoice: 'unconfirmed' as const };
  for (const userId of new Set([identity().userId, ...[...recorded, ...chosen].map((row) => row.userId)]))
    if (userId !== null && !except.has(userId))
      db.insert(recordingKeeping)
        .values({ userId, ...set, listedUntil: 0, usedBytes: 0, quotaBytes: 0 })
        .onConflictDoUpdate({ target: recordingKeeping.userId, set })
        .run();
  markChanged(getTableName(recordingKeeping));
}

type Values = Record<string, unknown>;

function restoreTable(store: Store, damaged: Sqlite, table: SQLiteTable): void {
  const name = getTableName(table);
  const parse = (row: Values): Values => parseRow(table, row);
  const isComplete = hasAllColumns(damaged, table) && readRowByRow(damaged, name, { parse, take: () => undefined });
  // A row that is only in the backup has been deleted since, such as a draft that was sent. Imported rows are an
  // exception: moving to an account deletes the ids that they have in other accounts, but if the backup is from before
  // the move, it may have to move to such an account again.
  if (isComplete && table !== importedRows) store.db.delete(table).run();
  const { primaryKeys } = getTableConfig(table);
  const columns = Object.values(getTableColumns(table));
  const target = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  readRowByRow(damaged, name, {
    parse,
    take(values) {
      try {
        store.db.insert(table).values(values).onConflictDoUpdate({ target, set: values }).run();
      } catch (error) {
        // A row from an earlier version may lack a value that is required now.
        if (!isConstraintFailure(error)) throw error;
      }
    },
  });
  store.markChanged(name);
}

/** A database from an earlier version lacks columns, and an empty file lacks the table. */
function hasAllColumns(damaged: Sqlite, table: SQLiteTable): boolean {
  const name = getTableName(table);
  const found = tryOrNull(() =>
    damaged.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(name),
  );
  return found !== null && Object.values(getTableColumns(table)).every((column) => found.includes(column.name));
}

/** Damage may leave a row that can be read but that no screen could show. Throws for such a row. */
function parseRow(table: SQLiteTable, row: Values): Values {
  const values: Values = {};
  for (const [field, column] of Object.entries(getTableColumns(table))) {
    const stored = row[column.name];
    if (stored === undefined) continue;
    if (stored === null ? column.notNull : !isOfType(stored, column))
      throw new TypeError(`a row of ${getTableName(table)} has no valid ${column.name}`);
    values[field] = stored === null ? null : column.mapFromDriverValue(stored);
  }
  return values;
}

const isOfType = (
  stored: unknown,
  { dataType, enumValues }: { dataType: string; enumValues: string[] | undefined },
): boolean => {
  const isText = dataType === 'string' || dataType === 'json';
  return typeof stored === (isText ? 'string' : 'number') && (enumValues?.includes(String(stored)) ?? true);
};
