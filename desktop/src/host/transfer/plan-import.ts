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
import type { LearnerKey, Store } from '../store/index.ts';
import { fieldTimesOf, type Values } from './field-times.ts';
import { findStoredRow } from './find-stored-row.ts';
import type { ExportedRow } from './parse-row.ts';

export interface PlannedRow {
  key: LearnerKey;
  /** The complete row as it will stand here, with the times of its fields. */
  row: Values;
  isNew: boolean;
}

/** Yields, for each row of the file, what is to be written, or null when the row changes nothing. */
export function* planTable(
  store: Store,
  key: LearnerKey,
  exported: Iterable<ExportedRow>,
): Generator<PlannedRow | null, void> {
  const fieldTimes = fieldTimesOf(store, key);
  const find = findStoredRow(store, key);
  const { userId } = store.identity();
  const now = store.clock.now();
  for (const row of exported) {
    const ours = find(String(row.values[entities[key].key]));
    const theirs = { values: row.values, clocks: notInFuture(row.clocks, now.getTime()) };
    if (ours === undefined) yield { key, row: newRow(key, theirs, now), isNew: true };
    else yield ours['userId'] === userId ? planChange(key, { ours, ourTimes: fieldTimes(ours), theirs, now }) : null;
  }
}

/** Counts the practices that the file still has and that were deleted here, and stay so. */
export function countDeletedHere(store: Store, exported: Iterable<ExportedRow>): number {
  const find = findStoredRow(store, 'practiceHistory');
  const fieldTimes = fieldTimesOf(store, 'practiceHistory');
  const { userId } = store.identity();
  let count = 0;
  for (const theirs of exported) {
    const ours = find(String(theirs.values['id']));
    if (ours === undefined || ours['userId'] !== userId || ours['deletedAt'] === null) continue;
    if (isDeletedBy(theirs.clocks)) continue;
    if (mergeCopies('practiceHistory', { values: ours, clocks: fieldTimes(ours) }, theirs).isDeleted) count += 1;
  }
  return count;
}

interface Copies {
  ours: Values;
  ourTimes: FieldClocks;
  theirs: { values: Values; clocks: FieldClocks };
  now: Date;
}

function planChange(key: LearnerKey, { ours, ourTimes, theirs, now }: Copies): PlannedRow | null {
  const merged = mergeCopies(key, { values: ours, clocks: ourTimes }, theirs);
  const isDeleted = ours['deletedAt'] !== null;
  if (merged.isDeleted === isDeleted && haveSameValues(writtenFields(key), merged.values, ours)) return null;
  const deletedAt = merged.isDeleted ? (ours['deletedAt'] ?? theirs.values['deletedAt'] ?? now) : null;
  return { key, row: { ...ours, ...merged.values, fieldClocks: merged.clocks, deletedAt }, isNew: false };
}

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

/** Returns a function that says whether a recording is here already. */
export function recordingsHere(store: Store): (recordingId: string) => boolean {
  const find = store.sqlite.prepare<[string], number>('SELECT 1 FROM recordings WHERE recording_id = ?');
  return (recordingId) => find.get(recordingId) !== undefined;
}
