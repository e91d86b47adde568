/**
 * Gives the rows of another profile to the learner, with ids that follow from the old ones and the new owner. Importing the same file again
 * therefore finds the same rows.
 */
import { enrolmentId, entities, type Field, formatHybridTime, type LearnerId } from '@parley/domain';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { coachAssignmentHistory, keyColumn, type LearnerKey, type Store, tables } from '../store/index.ts';
import { deriveRowId } from '../sync/index.ts';
import type { Values } from './field-times.ts';
import type { ExportedRow, ReadExport } from './read-export.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** These rows use the learner's id. */
const KEYED_BY_LEARNER: ReadonlySet<LearnerKey> = new Set(['users', 'pronunciationImprovementSummary']);

export function changeOwner(store: Store, file: ReadExport, to: LearnerId): ReadExport {
  const newIds = new Map<string, string>([[file.userId, to]]);
  const rowIdOf = ({ key, values }: ExportedRow): string => String(values[entities[key].key]);
  for (const row of file.rows) {
    if (KEYED_BY_LEARNER.has(row.key)) continue;
    const id = rowIdOf(row);
    const derived = row.key === 'enrollments' ? enrolmentId(to, String(row.values['courseId'])) : deriveRowId(id, to);
    // Rows that came to this account before they were given new ids are here under their old ones.
    if (!isOwn(store, row.key, id)) newIds.set(id, derived);
  }
  for (const { row } of file.recordings)
    if (!isOwnRecording(store, row.recordingId)) newIds.set(row.recordingId, deriveRowId(row.recordingId, to));
  const rename = (text: string): string => text.replaceAll(UUID, (id) => newIds.get(id) ?? id);
  const renameId = (id: string): string => newIds.get(id) ?? id;
  const rows = file.rows
    // Another profile has nothing to learn of deletions.
    .filter(({ values }) => values['deletedAt'] === null)
    .map((row): ExportedRow => ({ ...row, values: renameValues(row, rename) }));
  return {
    ...file,
    userId: to,
    rows: closeOpenAssignments(store, rows, file.exportedAt),
    recordings: file.recordings.map(({ row, entry }) => ({
      entry,
      row: {
        ...row,
        userId: to,
        recordingId: renameId(row.recordingId),
        sessionId: renameId(row.sessionId),
        turnId: renameId(row.turnId),
      },
    })),
    drills: file.drills.map((drill) => ({ ...drill, userId: to, recordingId: renameId(drill.recordingId) })),
  };
}

/** Renames the row's ids and those inside its JSON. Text written by the learner stays unchanged. */
const renameValues = ({ key, values }: ExportedRow, rename: (text: string) => string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const kind = (entities[key].fields as Record<string, Field>)[name]?.kind;
      if (kind === 'id' && typeof value === 'string') return [name, rename(value)];
      return [name, kind === 'json' && value !== null ? (JSON.parse(rename(JSON.stringify(value))) as unknown) : value];
    }),
  );

/** A learner has one coach at a time: here, the one they have now. */
function closeOpenAssignments(store: Store, rows: readonly ExportedRow[], exportedAt: Date): ExportedRow[] {
  const { userId, deviceId } = store.identity();
  return rows.map((row) => {
    const { key, values, clocks } = row;
    if (key !== 'coachAssignmentHistory' || values['assignmentEndDate'] !== null) return row;
    const id = String(values['assignmentId']);
    const other = store.db
      .select({ id: coachAssignmentHistory.assignmentId })
      .from(coachAssignmentHistory)
      .where(
        and(
          eq(coachAssignmentHistory.userId, userId),
          isNull(coachAssignmentHistory.assignmentEndDate),
          isNull(coachAssignmentHistory.deletedAt),
          ne(coachAssignmentHistory.assignmentId, id),
        ),
      )
      .get();
    if (other === undefined || isOwn(store, key, id)) return row;
    const at = formatHybridTime({ ms: exportedAt.getTime(), counter: 0, deviceId });
    return {
      key,
      values: { ...values, assignmentEndDate: exportedAt },
      clocks: { ...clocks, assignmentEndDate: at },
    };
  });
}

function isOwn(store: Store, key: LearnerKey, id: string): boolean {
  const row: Values | undefined = store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(keyColumn(key), id))
    .get();
  return row?.['userId'] === store.identity().userId;
}

const isOwnRecording = (store: Store, recordingId: string): boolean =>
  store.sqlite
    .prepare<[string, string]>('SELECT 1 FROM recordings WHERE recording_id = ? AND user_id = ?')
    .get(recordingId, store.identity().userId) !== undefined;
