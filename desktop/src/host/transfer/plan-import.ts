/** Decides, row by row, what an import changes, by the same merge rules as sync. Nothing is written here. */
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
import { existsSync } from 'node:fs';
import { fieldTimesOf, type LearnerKey, type Store, type Values } from '../store/index.ts';
import { type MissingRecording, recordingFile } from './copy-recording.ts';
import { findStoredRow } from './find-stored-row.ts';
import type { ExportedRow } from './parse-row.ts';
import type { ReadExport } from './read-export.ts';

export interface PlannedRow {
  key: LearnerKey;
  /** The complete row as it will be here, with the times of its fields. */
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

/** Counts the practices that are in the file but were deleted here; they stay deleted. */
export function countDeletedHere(store: Store, exported: Iterable<ExportedRow>): number {
  let count = 0;
  for (const { theirs, ours, willBeDeleted } of mergedPractices(store, exported))
    if (ours !== null && ours['deletedAt'] !== null && !isDeletedBy(theirs.clocks) && willBeDeleted) count += 1;
  return count;
}

interface MergedPractice {
  theirs: ExportedRow;
  ours: Values | null;
  willBeDeleted: boolean;
}

function* mergedPractices(store: Store, exported: Iterable<ExportedRow>): Generator<MergedPractice, void> {
  const find = findStoredRow(store, 'practiceHistory');
  const fieldTimes = fieldTimesOf(store, 'practiceHistory');
  const { userId } = store.identity();
  for (const theirs of exported) {
    const ours = find(String(theirs.values['id'])) ?? null;
    if (ours === null) yield { theirs, ours, willBeDeleted: isDeletedBy(theirs.clocks) };
    else if (ours['userId'] === userId) {
      const clamped = { values: theirs.values, clocks: notInFuture(theirs.clocks, store.clock.now().getTime()) };
      const { isDeleted } = mergeCopies('practiceHistory', { values: ours, clocks: fieldTimes(ours) }, clamped);
      yield { theirs, ours, willBeDeleted: isDeleted };
    }
  }
}

/**
 * Counts the recordings in the file, and lists those to be imported: recordings of practices and drills that are not
 * here. Recordings of a deleted practice are left out, because nothing would erase them later.
 */
export function listRecordings(store: Store, file: ReadExport): { inFile: number; missing: MissingRecording[] } {
  const findOwner = store.sqlite
    .prepare<[string], string | null>('SELECT user_id FROM recordings WHERE recording_id = ?')
    .pluck();
  const ownPractice = store.sqlite.prepare<[string, string], number>(
    'SELECT 1 FROM practice_history WHERE id = ? AND user_id = ? AND deleted_at IS NULL',
  );
  const { userId } = store.identity();
  const isLiving = new Map<string, boolean>();
  for (const { theirs, willBeDeleted } of mergedPractices(store, file.rows('practiceHistory')))
    isLiving.set(String(theirs.values['id']), !willBeDeleted);
  const drilled = new Set<string>();
  for (const { recordingId } of file.drills()) drilled.add(recordingId);
  const missing: MissingRecording[] = [];
  let inFile = 0;
  for (const { row, entry } of file.recordings()) {
    const { recordingId, sessionId } = row;
    inFile += 1;
    const owner = findOwner.get(recordingId);
    // If the file of a recording was lost, the export restores it, and its row stays.
    const isLost = owner === userId && !existsSync(recordingFile(store.dataDir, recordingId));
    if (owner !== undefined && !isLost) continue;
    const isOfPractice = isLiving.get(sessionId) ?? ownPractice.get(sessionId, userId) !== undefined;
    if (isOfPractice || drilled.has(recordingId)) missing.push({ recordingId, entry });
  }
  return { inFile, missing };
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

/** A clock that was ahead does not win forever. */
const notInFuture = (clocks: FieldClocks, nowMs: number): FieldClocks =>
  Object.fromEntries(Object.entries(clocks).map(([name, time]) => [name, clampHybridTime(time, nowMs)]));

const writtenFields = (key: LearnerKey): string[] =>
  Object.keys(entities[key].fields as Record<string, Field>).filter(
    (name) => !isProjection(entities[key], name) && !['updatedAt', 'syncVersion', 'deletedAt'].includes(name),
  );
