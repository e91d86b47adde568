/**
 * Gives the rows of another profile to the learner, with ids that are derived from the old ones and both owners.
 * Importing the same file again therefore finds the same rows, and so does importing rows that came from here.
 */
import { countedAttemptId, enrolmentId, entities, type Field, formatHybridTime, type LearnerId } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import { coachAssignmentHistory, LEARNER_KEYS, type LearnerKey, type Store, type Values } from '../store/index.ts';
import { rowIdMover } from '../sync/index.ts';
import { findStoredRow } from './find-stored-row.ts';
import type { ExportedRow } from './parse-row.ts';
import type { ReadExport } from './read-export.ts';
import { withoutOrphans } from './without-orphans.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** These rows use the learner's id. */
const KEYED_BY_LEARNER: ReadonlySet<LearnerKey> = new Set(['users', 'pronunciationImprovementSummary']);

export function changeOwner(store: Store, file: ReadExport, to: LearnerId): ReadExport {
  const renameId = renamer(store, file, to);
  const rename = (text: string): string => text.replaceAll(UUID, renameId);
  // The turns of a deleted session are not deleted themselves.
  const living = withoutOrphans(store, file, { keepsDeleted: false });
  return {
    ...file,
    userId: to,
    *rows(key) {
      const isOwn = ownRows(store, key);
      for (const row of living.rows(key)) {
        // The other profile's deletions are irrelevant here.
        if (row.values['deletedAt'] !== null) continue;
        const origin = { userId: file.userId, id: String(row.values[entities[key].key]) };
        const renamed = { ...row, values: renameValues(row, rename), origin };
        const kept =
          key === 'coachAssignmentHistory'
            ? keepOwnCoach(store, renamed, { isOwn, exportedAt: file.exportedAt })
            : renamed;
        if (kept !== null) yield kept;
      }
    },
    *recordings() {
      for (const { row, entry } of file.recordings())
        yield {
          entry,
          row: {
            ...row,
            userId: to,
            recordingId: renameId(row.recordingId),
            sessionId: renameId(row.sessionId),
            turnId: renameId(row.turnId),
          },
        };
    },
    *drills() {
      for (const drill of file.drills()) yield { ...drill, userId: to, recordingId: renameId(drill.recordingId) };
    },
  };
}

const KEY_BY_TABLE: ReadonlyMap<string, LearnerKey> = new Map(LEARNER_KEYS.map((key) => [entities[key].name, key]));
const MAX_REMEMBERED_IDS = 10_000;

/** Returns a function that maps the ids of the file's rows and leaves all others unchanged. */
function renamer(store: Store, file: ReadExport, to: LearnerId): (id: string) => string {
  const remembered = new Map<string, string>();
  const moveId = rowIdMover({ from: file.userId, to });
  const isOwnByKey = new Map(LEARNER_KEYS.map((key) => [key, ownRows(store, key)]));
  const findRecordingOwner = store.sqlite
    .prepare<[string], string | null>('SELECT user_id FROM recordings WHERE recording_id = ?')
    .pluck();
  const isOwnRecording = (id: string): boolean => findRecordingOwner.get(id) === to;

  /** A recording keeps its id, as it does when a device joins an account, unless another learner on this computer has it too. */
  function newRecordingId(id: string): string {
    if (isOwnRecording(id)) return id;
    return isOwnRecording(moveId(id)) || typeof findRecordingOwner.get(id) === 'string' ? moveId(id) : id;
  }

  function newIdOf(id: string): string {
    if (id === file.userId) return to;
    const row = file.find(id);
    const key = row === undefined ? undefined : KEY_BY_TABLE.get(row.table);
    // The file may refer to a recording without containing it.
    if (row === undefined || key === undefined) return newRecordingId(id);
    if (KEYED_BY_LEARNER.has(key)) return id;
    // Rows that came to this account before imported rows got new ids are here under their old ids.
    if (isOwnByKey.get(key)?.(id) === true) return id;
    if (key !== 'enrollments' && key !== 'wordAttempts') return moveId(id);
    const values = JSON.parse(row.json) as Values;
    if (key === 'enrollments') return enrolmentId(to, String(values['courseId']));
    return values['kind'] === 'counted' ? countedIdOf(values, to) : moveId(id);
  }

  return (id) => {
    const known = remembered.get(id);
    if (known !== undefined) return known;
    if (remembered.size >= MAX_REMEMBERED_IDS) remembered.clear();
    const newId = newIdOf(id);
    remembered.set(id, newId);
    return newId;
  };
}

/** The id that this app would give to the count itself. */
const countedIdOf = ({ word, countedBy, attempts }: Values, userId: LearnerId): string =>
  countedAttemptId({ userId, word: String(word), countedBy: String(countedBy), attempts: Number(attempts) });

/** Renames the row's ids and those inside its JSON. Text written by the learner stays unchanged. */
const renameValues = ({ key, values }: ExportedRow, rename: (text: string) => string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const kind = (entities[key].fields as Record<string, Field>)[name]?.kind;
      if (kind === 'id' && typeof value === 'string') return [name, rename(value)];
      return [name, kind === 'json' && value !== null ? (JSON.parse(rename(JSON.stringify(value))) as unknown) : value];
    }),
  );

/**
 * A learner has one coach at a time, and keeps the one that they have here. An open assignment in the file is therefore
 * imported as a closed one, and an assignment that was closed for this reason on another computer is not closed here.
 * Null for a row that changes nothing.
 */
function keepOwnCoach(
  store: Store,
  row: ExportedRow,
  { isOwn, exportedAt }: { isOwn: (id: string) => boolean; exportedAt: Date },
): ExportedRow | null {
  const { values, clocks } = row;
  const { userId, deviceId } = store.identity();
  const id = String(values['assignmentId']);
  const open = store.db
    .select({ id: coachAssignmentHistory.assignmentId })
    .from(coachAssignmentHistory)
    .where(
      and(
        eq(coachAssignmentHistory.userId, userId),
        isNull(coachAssignmentHistory.assignmentEndDate),
        isNull(coachAssignmentHistory.deletedAt),
      ),
    )
    .all();
  if (open.some((own) => own.id === id)) return null;
  if (values['assignmentEndDate'] !== null || isOwn(id) || open.length === 0) return row;
  const at = formatHybridTime({ ms: exportedAt.getTime(), counter: 0, deviceId });
  return { ...row, values: { ...values, assignmentEndDate: exportedAt }, clocks: { ...clocks, assignmentEndDate: at } };
}

/** Returns a function that says whether the row with an id is here and belongs to the learner. */
function ownRows(store: Store, key: LearnerKey): (id: string) => boolean {
  const find = findStoredRow(store, key);
  const { userId } = store.identity();
  return (id) => find(id)?.['userId'] === userId;
}
