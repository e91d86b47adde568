/** Applies an edit through the store and reads its outbox entries before anything else can run. */
import { type CompletedObjective, enrolmentId, entities, wireSchema } from '@parley/domain';
import { type PronunciationWords, recordWordAttempt } from '@parley/domain/test-kit/pronunciation-words';
import {
  insertRow,
  isDiskFullError,
  type LearnerKey,
  type NewRow,
  removeRow,
  type Store,
  tables,
  updateRow,
} from '../../../../desktop/src/host/store/index.ts';
import { eq } from 'drizzle-orm';
import type { Edit, Edited, Wire } from '../messages.ts';
import { readOutboxForRow, pendingMutationIds } from './read-outbox.ts';

interface StoreEdit {
  key: LearnerKey;
  rowId: string;
  apply: () => void;
}

/** Session states from lowest to highest; a device never moves a session back. */
const STATUS_RANKS: readonly string[] = ['in_progress', 'failed_to_generate_score', 'completed'];

export function applyEdit(store: Store, edit: Edit): Edited {
  const planned = planStoreEdit(store, edit);
  if (planned === 'absent' || planned === 'unchanged') return { outcome: planned };
  const { key, rowId, apply } = planned;
  const table = entities[key].name;
  const before = readOutboxForRow(store, table, rowId);
  try {
    apply();
  } catch (error) {
    if (isDiskFullError(error)) return { outcome: 'full' };
    if (error instanceof Error && error.message.startsWith('no row to change')) return { outcome: 'absent' };
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))
      return { outcome: 'refused' };
    throw error;
  }
  const after = readOutboxForRow(store, table, rowId);
  const known = new Set(before.map(({ mutationId }) => mutationId));
  const entries = after.filter(({ mutationId }) => !known.has(mutationId));
  if (entries.length === 0) return { outcome: 'unchanged' };
  const absorbed = before.flatMap(({ mutationId, fields }) => {
    const left = after.find((row) => row.mutationId === mutationId)?.fields ?? {};
    const absorbedNames = Object.keys(fields).filter((name) => !(name in left));
    return absorbedNames.length > 0 ? [{ mutationId, fields: absorbedNames }] : [];
  });
  return { outcome: 'made', entries, absorbed, waiting: pendingMutationIds(store) };
}

function planStoreEdit(store: Store, edit: Edit): StoreEdit | 'absent' | 'unchanged' {
  const { userId } = store.identity();
  switch (edit.op) {
    case 'words':
      return recordWordAttempts(store, edit);
    case 'insert':
      return insert(store, edit.key, edit.rowId, { ...edit.values, userId });
    case 'update':
      return updateLearnerRow(store, edit, edit.rowId ?? userId);
    case 'delete':
      return { key: edit.key, rowId: edit.rowId, apply: () => removeRow(store, edit.key, edit.rowId) };
    case 'turn':
      return addTurn(store, edit);
    case 'fill':
      return fillInTurn(store, edit);
    case 'finish':
      return finish(store, edit);
    case 'objective':
      return completeObjective(store, edit);
    case 'enrol': {
      const { courseId, enrollmentDate } = edit;
      const rowId = enrolmentId(userId, courseId);
      if (isAlive(readRow(store, 'enrollments', rowId))) return 'unchanged';
      return insert(store, 'enrollments', rowId, { courseId, enrollmentDate, userId });
    }
    case 'leave': {
      const rowId = enrolmentId(userId, edit.courseId);
      if (!isAlive(readRow(store, 'enrollments', rowId))) return 'absent';
      return { key: 'enrollments', rowId, apply: () => removeRow(store, 'enrollments', rowId) };
    }
  }
}

function insert(store: Store, key: LearnerKey, rowId: string, values: Wire): StoreEdit {
  const row = decode(key, { ...values, [entities[key].key]: rowId });
  return { key, rowId, apply: () => insertRow(store, key, row as NewRow<typeof key>) };
}

function update(store: Store, key: LearnerKey, rowId: string, values: Wire): StoreEdit {
  const changes = decode(key, values) as Partial<NewRow<typeof key>>;
  return { key, rowId, apply: () => updateRow(store, key, rowId, changes) };
}

/** The product never lowers a duration and never pauses a finished session. */
function updateLearnerRow(store: Store, { key, values }: Extract<Edit, { op: 'update' }>, rowId: string) {
  const row = readRow(store, key, rowId);
  if (row === undefined) return 'absent';
  if (key !== 'practiceHistory') return update(store, key, rowId, values);
  const changed = { ...values };
  if (Number(changed['duration'] ?? 0) <= Number(row['duration'])) delete changed['duration'];
  if (row['status'] !== 'in_progress') delete changed['pausedAt'];
  return Object.keys(changed).length === 0 ? 'unchanged' : update(store, key, rowId, changed);
}

/** Adds a turn after the last one that this device shows. */
function addTurn(store: Store, { rowId, sessionId, values }: Extract<Edit, { op: 'turn' }>) {
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session === undefined) return 'absent';
  const last = (session['entireConversation'] as { turnId: string }[]).at(-1);
  const { userId } = store.identity();
  const turn = { ...values, sessionId, previousTurnId: last?.turnId ?? null, userId };
  return insert(store, 'aiConversations', rowId, turn);
}

/** A transcript or an assessment that is known never changes. */
function fillInTurn(store: Store, { rowId, values }: Extract<Edit, { op: 'fill' }>) {
  const turn = readRow(store, 'aiConversations', rowId);
  if (turn === undefined) return 'absent';
  const isMissing = ([name]: [string, unknown]): boolean =>
    name === 'fitted' ? turn[name] === true : turn[name] === null || turn[name] === '';
  const missing = Object.fromEntries(Object.entries(values).filter(isMissing));
  return Object.keys(missing).length === 0 ? 'unchanged' : update(store, 'aiConversations', rowId, missing);
}

function finish(store: Store, { sessionId, values }: Extract<Edit, { op: 'finish' }>) {
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session === undefined) return 'absent';
  const rankOf = (status: unknown): number => STATUS_RANKS.indexOf(String(status));
  if (rankOf(values['status']) < rankOf(session['status'])) return 'unchanged';
  return update(store, 'practiceHistory', sessionId, { ...values, pausedAt: null });
}

function completeObjective(store: Store, { sessionId, entry }: Extract<Edit, { op: 'objective' }>) {
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session === undefined) return 'absent';
  const completed = session['completedObjectives'] as CompletedObjective[];
  if (completed.some(({ objectiveId }) => objectiveId === entry['objectiveId'])) return 'unchanged';
  return update(store, 'practiceHistory', sessionId, { completedObjectives: [...completed, entry] });
}

/** Writes the whole list with updated entries, as apps did before the attempt log; the list is one row per learner. */
function recordWordAttempts(store: Store, edit: Extract<Edit, { op: 'words' }>): StoreEdit {
  const key = 'pronunciationImprovementSummary';
  const { userId } = store.identity();
  const deviceId = store.wordCountKey();
  const row = readRow(store, key, userId);
  const before = (row?.['words'] ?? []) as PronunciationWords;
  const at = store.clock.now().toISOString();
  const attempts = edit.words.map((word) => ({
    word,
    ipa: '',
    accuracy: edit.accuracy,
    worstPhonemes: [],
    at,
    deviceId,
  }));
  const words = attempts.reduce(recordWordAttempt, before);
  return {
    key,
    rowId: userId,
    apply: () =>
      row === undefined
        ? insertRow(store, key, { id: userId, userId, words })
        : updateRow(store, key, userId, { words }),
  };
}

function readRow(store: Store, key: LearnerKey, rowId: string): Record<string, unknown> | undefined {
  const table = tables[key];
  const keyColumn = (table as unknown as Record<string, Parameters<typeof eq>[0]>)[entities[key].key];
  if (keyColumn === undefined) throw new Error(`${key} has no key`);
  return store.db.select().from(table).where(eq(keyColumn, rowId)).get();
}

const isAlive = (row: Record<string, unknown> | undefined): boolean => row !== undefined && row['deletedAt'] === null;

function decode(key: LearnerKey, values: Wire): Record<string, unknown> {
  const { shape } = wireSchema(entities[key]);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shape[name]?.parse(value)]));
}
