/** Writes a planned import: all of its rows in one transaction, or none. */
import { entities } from '@parley/domain';
import { getTableName, sql } from 'drizzle-orm';
import {
  carryCountsIntoLog,
  drillAttempts,
  fieldTimesOf,
  importedRows,
  LEARNER_KEYS,
  type LearnerKey,
  openRestoreQueue,
  prepareOnce,
  prepareUpsert,
  readRow,
  recordings,
  type Store,
  updateConversations,
  updateWords,
} from '../store/index.ts';
import { type PlannedRow, planTable } from './plan-import.ts';
import type { ExportedRow } from './parse-row.ts';
import type { ReadExport } from './read-export.ts';
import { PARENT_KEYS, parentsOf } from './without-orphans.ts';

export interface ImportCounts {
  rows: number;
  practices: number;
  words: number;
}

/**
 * Call this inside a transaction. The rows then sync like rows that a server has lost: with the times at which their
 * fields were set. `copied` contains the ids of the recordings whose files are here.
 */
export function writeImport(store: Store, file: ReadExport, copied: ReadonlySet<string>): ImportCounts {
  store.sqlite.pragma('defer_foreign_keys = ON');
  const counts: ImportCounts = { rows: 0, practices: 0, words: 0 };
  const touched: Touched = { sessions: new Set(), words: new Set(), days: new Set() };
  const queue = openParentsFirstQueue(store, file);
  for (const key of LEARNER_KEYS) {
    const write = prepareUpsert(store, key, () => undefined);
    for (const planned of planTable(store, key, rememberingOrigins(store, file.rows(key)))) {
      if (planned === null) continue;
      write(planned.row);
      queue(planned);
      noteTouched(touched, planned);
      counts.rows += 1;
      if (planned.isNew && key === 'practiceHistory') counts.practices += 1;
      if (planned.isNew && key === 'wordAttempts') counts.words += 1;
    }
    store.markChanged(entities[key].name);
  }
  writeDeviceRows(store, file, copied);
  updateWhatFollows(store, touched);
  return counts;
}

/** These rows use the learner's id, or keep theirs in each account. */
const WITHOUT_ORIGIN: ReadonlySet<LearnerKey> = new Set([
  'users',
  'coachAssignmentHistory',
  'pronunciationImprovementSummary',
]);

/** Yields the rows of the file, and records where each came from, in case this device joins the file's account. */
function* rememberingOrigins(store: Store, rows: Iterable<ExportedRow>): Generator<ExportedRow, void> {
  for (const row of rows) {
    const { key, values, origin } = row;
    if (origin !== undefined && !WITHOUT_ORIGIN.has(key)) {
      const rowId = String(values[entities[key].key]);
      insertOrigin(store).run({ rowId, fromUserId: origin.userId, originalId: origin.id });
    }
    yield row;
  }
}

const insertOrigin = prepareOnce(({ db }) =>
  db
    .insert(importedRows)
    .values({
      rowId: sql.placeholder('rowId'),
      fromUserId: sql.placeholder('fromUserId'),
      originalId: sql.placeholder('originalId'),
    })
    .onConflictDoUpdate({
      target: [importedRows.rowId, importedRows.fromUserId],
      set: { originalId: sql`excluded.original_id` },
    })
    .prepare(),
);

/** A row that the server does not have yet must arrive before the rows that refer to it. */
function openParentsFirstQueue(store: Store, file: ReadExport): (planned: Pick<PlannedRow, 'key' | 'row'>) => void {
  const queued = new Set<string>();
  // Each row may bring up to two parents.
  const restore = openRestoreQueue(store, { atMost: file.rowCount() * 3 });
  return ({ key, row }) => {
    for (const { key: parentKey, id } of parentsOf(key, row)) {
      // Parents in the file were queued earlier, because `LEARNER_KEYS` lists them first.
      if (queued.has(id)) continue;
      queued.add(id);
      const parent = readRow(store, parentKey, id);
      if (parent === undefined || Number(parent['syncVersion']) > 0) continue;
      restore({ key: parentKey, row: { ...parent, fieldClocks: fieldTimesOf(store, parentKey)(parent) } });
    }
    if (PARENT_KEYS.some((each) => each === key)) queued.add(String(row[entities[key].key]));
    restore({ key, row });
  };
}

function writeDeviceRows(store: Store, file: ReadExport, copied: ReadonlySet<string>): void {
  for (const { row } of file.recordings()) {
    if (!copied.has(row.recordingId)) continue;
    store.db
      .insert(recordings)
      .values({
        ...row,
        fileName: `${row.recordingId}.wav`,
        // The recording was in progress when the file was written, and cannot be continued here.
        state: row.state === 'recording' ? 'set_aside' : row.state,
      })
      .onConflictDoNothing()
      .run();
  }
  for (const row of file.drills()) store.db.insert(drillAttempts).values(row).onConflictDoNothing().run();
  store.markChanged(getTableName(recordings));
  store.markChanged(getTableName(drillAttempts));
}

/** Computed values of the imported rows. */
interface Touched {
  sessions: Set<string>;
  words: Set<string>;
  days: Set<string>;
}

function noteTouched({ sessions, words, days }: Touched, { key, row }: PlannedRow): void {
  if (key === 'practiceHistory') sessions.add(String(row['id']));
  if (key === 'aiConversations' && typeof row['sessionId'] === 'string') sessions.add(row['sessionId']);
  if (key !== 'wordAttempts') return;
  words.add(String(row['word']));
  days.add(String(row['day']));
}

function updateWhatFollows(store: Store, { sessions, words, days }: Touched): void {
  updateConversations(store, sessions);
  updateWords(store, { words, days });
  carryCountsIntoLog(store);
}
