/** Decides, row by row, what an import changes: by the rules with which two copies of a row are merged. Nothing is written here. */
import {
  clampHybridTime,
  entities,
  type Field,
  type FieldClocks,
  haveSameValues,
  isDeletedBy,
  isProjection,
  mergeCopies,
} from '@parley/domain';
import { eq, inArray, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { keyColumn, type LearnerKey, recordings, type Store, tables } from '../store/index.ts';
import { fieldTimesOf, type Values } from './field-times.ts';
import type { ExportedRecording, ExportedRow, ReadExport } from './read-export.ts';

export interface PlannedRow {
  key: LearnerKey;
  /** The complete row as it will stand here, with the times of its fields. */
  row: Values;
  isNew: boolean;
}

export interface ImportPlan {
  rows: PlannedRow[];
  recordings: ExportedRecording[];
}

export function planImport(store: Store, file: ReadExport): ImportPlan {
  const rowsByKey = Map.groupBy(file.rows, ({ key }) => key);
  const rows = [...rowsByKey].flatMap(([key, exported]) => planTable(store, key, exported));
  const here = recordingsHere(store, file.recordings);
  return { rows, recordings: file.recordings.filter(({ row }) => !here.has(row.recordingId)) };
}

function planTable(store: Store, key: LearnerKey, exported: readonly ExportedRow[]): PlannedRow[] {
  const fieldTimes = fieldTimesOf(store, key);
  const table: SQLiteTable = tables[key];
  const find = store.db
    .select()
    .from(table)
    .where(eq(keyColumn(key), placeholderId))
    .prepare();
  const nowMs = store.clock.now().getTime();
  return exported.flatMap(({ values, clocks }): PlannedRow[] => {
    const theirs = { values, clocks: notInFuture(clocks, nowMs) };
    const ours = find.get({ id: String(values[entities[key].key]) });
    if (ours === undefined) return [{ key, row: newRow(key, theirs, store.clock.now()), isNew: true }];
    if (ours['userId'] !== store.identity().userId) return [];
    const merged = mergeCopies(key, { values: ours, clocks: fieldTimes(ours) }, theirs);
    const isDeleted = ours['deletedAt'] !== null;
    if (merged.isDeleted === isDeleted && haveSameValues(writtenFields(key), merged.values, ours)) return [];
    const deletedAt = merged.isDeleted ? (ours['deletedAt'] ?? values['deletedAt'] ?? store.clock.now()) : null;
    return [{ key, row: { ...ours, ...merged.values, fieldClocks: merged.clocks, deletedAt }, isNew: false }];
  });
}

const placeholderId = sql.placeholder('id');

function newRow(key: LearnerKey, { values, clocks }: { values: Values; clocks: FieldClocks }, now: Date): Values {
  const deletedAt = isDeletedBy(clocks) ? (values['deletedAt'] ?? now) : null;
  return { ...withoutAccountFields(key, values), fieldClocks: clocks, syncVersion: 0, deletedAt };
}

/** Only the server sets these. */
const withoutAccountFields = (key: LearnerKey, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !entities[key].accountFields.includes(name)));

/** A clock that ran ahead does not win for ever. */
const notInFuture = (clocks: FieldClocks, nowMs: number): FieldClocks =>
  Object.fromEntries(Object.entries(clocks).map(([name, time]) => [name, clampHybridTime(time, nowMs)]));

const writtenFields = (key: LearnerKey): string[] =>
  Object.keys(entities[key].fields as Record<string, Field>).filter(
    (name) => !isProjection(entities[key], name) && !['updatedAt', 'syncVersion', 'deletedAt'].includes(name),
  );

const IDS_AT_ONCE = 500;

function recordingsHere(store: Store, exported: readonly ExportedRecording[]): Set<string> {
  const here = new Set<string>();
  for (let from = 0; from < exported.length; from += IDS_AT_ONCE) {
    const ids = exported.slice(from, from + IDS_AT_ONCE).map(({ row }) => row.recordingId);
    const known = store.db
      .select({ id: recordings.recordingId })
      .from(recordings)
      .where(inArray(recordings.recordingId, ids))
      .all();
    for (const { id } of known) here.add(id);
  }
  return here;
}
