/** Writes a planned import: all of its rows in one transaction, or none. */
import { entities, type Field } from '@parley/domain';
import { getTableName } from 'drizzle-orm';
import {
  carryCountsIntoLog,
  drillAttempts,
  type LearnerKey,
  prepareUpsert,
  queueRestores,
  readRow,
  recordings,
  type Store,
  updateConversation,
  updateWords,
} from '../store/index.ts';
import type { DrillRow, RecordingRow } from './device-rows.ts';
import { fieldTimesOf, type Values } from './field-times.ts';
import type { PlannedRow } from './plan-import.ts';

export interface ImportRows {
  rows: readonly PlannedRow[];
  recordings: readonly RecordingRow[];
  drills: readonly DrillRow[];
}

/** Call this inside a transaction. The rows then sync as rows do that a server has lost: with the times at which their fields were set. */
export function writeImport(store: Store, planned: ImportRows): void {
  store.sqlite.pragma('defer_foreign_keys = ON');
  for (const [key, rows] of Map.groupBy(planned.rows, (row) => row.key)) {
    const write = prepareUpsert(store, key, () => undefined);
    for (const { row } of rows) write(row);
    store.markChanged(entities[key].name);
  }
  queueRestores(store, withUnsentParents(store, planned.rows));
  writeDeviceRows(store, planned);
  updateWhatFollows(store, planned.rows);
}

const LEARNER_KEY_BY_TABLE: Readonly<Record<string, LearnerKey>> = {
  user_course_interaction: 'userCourseInteraction',
  practice_history: 'practiceHistory',
};

/** A row that the server does not have yet must arrive before the rows that refer to it. */
function withUnsentParents(store: Store, rows: readonly PlannedRow[]): { key: LearnerKey; row: Values }[] {
  const queued = new Set(rows.map(({ key, row }) => String(row[entities[key].key])));
  const parents: { key: LearnerKey; row: Values }[] = [];
  for (const { key, row } of rows)
    for (const [name, { references }] of Object.entries(entities[key].fields as Record<string, Field>)) {
      const parentKey = references === null ? undefined : LEARNER_KEY_BY_TABLE[references.entity];
      const id = row[name];
      if (parentKey === undefined || typeof id !== 'string' || queued.has(id)) continue;
      queued.add(id);
      const parent = readRow(store, parentKey, id);
      if (parent === undefined || Number(parent['syncVersion']) > 0) continue;
      parents.push({ key: parentKey, row: { ...parent, fieldClocks: fieldTimesOf(store, parentKey)(parent) } });
    }
  return [...parents, ...rows];
}

function writeDeviceRows(store: Store, { recordings: recorded, drills }: ImportRows): void {
  for (const { state, ...row } of recorded)
    store.db
      .insert(recordings)
      .values({
        ...row,
        fileName: `${row.recordingId}.wav`,
        // It was still being made when the file was written, and nothing goes on with it here.
        state: state === 'recording' ? 'set_aside' : state,
      })
      .onConflictDoNothing()
      .run();
  for (const row of drills) store.db.insert(drillAttempts).values(row).onConflictDoNothing().run();
  store.markChanged(getTableName(recordings));
  store.markChanged(getTableName(drillAttempts));
}

function updateWhatFollows(store: Store, rows: readonly PlannedRow[]): void {
  const sessions = new Set<string>();
  const words = new Set<string>();
  const days = new Set<string>();
  for (const { key, row } of rows) {
    if (key === 'practiceHistory') sessions.add(String(row['id']));
    if (key === 'aiConversations' && typeof row['sessionId'] === 'string') sessions.add(row['sessionId']);
    if (key !== 'wordAttempts') continue;
    words.add(String(row['word']));
    days.add(String(row['day']));
  }
  for (const sessionId of sessions) updateConversation(store, sessionId);
  updateWords(store, { words, days });
  carryCountsIntoLog(store);
}
