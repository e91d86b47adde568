/** Makes one edit through the store, and tells what the outbox holds of it, before anything else can run. */
import {
  type CompletedObjective,
  enrolmentId,
  entities,
  type PronunciationWords,
  recordWordAttempt,
  wireSchema,
} from '@parley/domain';
import {
  insertRow,
  isDiskFull,
  type LearnerKey,
  type NewRow,
  removeRow,
  type Store,
  tables,
  updateRow,
} from '../../../../desktop/src/host/store/index.ts';
import { eq } from 'drizzle-orm';
import type { Edit, Edited, Wire } from '../messages.ts';
import { readOutboxOf, waitingIds } from './outbox.ts';

interface StoreEdit {
  key: LearnerKey;
  rowId: string;
  make: () => void;
}

/** Of a session, from the lowest to the highest: a device never takes one back. */
const STATUS_RANKS: readonly string[] = ['in_progress', 'failed_to_generate_score', 'completed'];

export function applyEdit(store: Store, edit: Edit): Edited {
  const wanted = toStoreEdit(store, edit);
  if (wanted === 'absent' || wanted === 'unchanged') return { outcome: wanted };
  const { key, rowId, make } = wanted;
  const table = entities[key].name;
  const before = readOutboxOf(store, table, rowId);
  try {
    make();
  } catch (error) {
    if (isDiskFull(error)) return { outcome: 'full' };
    if (error instanceof Error && error.message.startsWith('no row to change')) return { outcome: 'absent' };
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'))
      return { outcome: 'refused' };
    throw error;
  }
  const after = readOutboxOf(store, table, rowId);
  const known = new Set(before.map(({ mutationId }) => mutationId));
  const entries = after.filter(({ mutationId }) => !known.has(mutationId));
  if (entries.length === 0) return { outcome: 'unchanged' };
  const absorbed = before.flatMap(({ mutationId, fields }) => {
    const left = after.find((row) => row.mutationId === mutationId)?.fields ?? {};
    const gone = Object.keys(fields).filter((name) => !(name in left));
    return gone.length > 0 ? [{ mutationId, fields: gone }] : [];
  });
  return { outcome: 'made', entries, absorbed, waiting: waitingIds(store) };
}

function toStoreEdit(store: Store, edit: Edit): StoreEdit | 'absent' | 'unchanged' {
  const { userId } = store.identity();
  switch (edit.op) {
    case 'words':
      return practiseWords(store, edit);
    case 'insert':
      return insert(store, edit.key, edit.rowId, { ...edit.values, userId });
    case 'update':
      return change(store, edit, edit.rowId ?? userId);
    case 'delete':
      return { key: edit.key, rowId: edit.rowId, make: () => removeRow(store, edit.key, edit.rowId) };
    case 'turn':
      return addTurn(store, edit);
    case 'fill':
      return fillIn(store, edit);
    case 'finish':
      return finish(store, edit);
    case 'objective':
      return complete(store, edit);
    case 'enrol': {
      const { courseId, enrollmentDate } = edit;
      const rowId = enrolmentId(userId, courseId);
      if (isAlive(readRow(store, 'enrollments', rowId))) return 'unchanged';
      return insert(store, 'enrollments', rowId, { courseId, enrollmentDate, userId });
    }
    case 'leave': {
      const rowId = enrolmentId(userId, edit.courseId);
      if (!isAlive(readRow(store, 'enrollments', rowId))) return 'absent';
      return { key: 'enrollments', rowId, make: () => removeRow(store, 'enrollments', rowId) };
    }
  }
}

function insert(store: Store, key: LearnerKey, rowId: string, values: Wire): StoreEdit {
  const row = decode(key, { ...values, [entities[key].key]: rowId });
  return { key, rowId, make: () => insertRow(store, key, row as NewRow<typeof key>) };
}

function update(store: Store, key: LearnerKey, rowId: string, values: Wire): StoreEdit {
  const changes = decode(key, values) as Partial<NewRow<typeof key>>;
  return { key, rowId, make: () => updateRow(store, key, rowId, changes) };
}

/** The product never counts down, nor pauses what is over. */
function change(store: Store, { key, values }: Extract<Edit, { op: 'update' }>, rowId: string) {
  const row = readRow(store, key, rowId);
  if (row === undefined) return 'absent';
  if (key !== 'practiceHistory') return update(store, key, rowId, values);
  const changed = { ...values };
  if (Number(changed['duration'] ?? 0) <= Number(row['duration'])) delete changed['duration'];
  if (row['status'] !== 'in_progress') delete changed['pausedAt'];
  return Object.keys(changed).length === 0 ? 'unchanged' : update(store, key, rowId, changed);
}

/** After the last turn that this device shows of the session. */
function addTurn(store: Store, { rowId, sessionId, values }: Extract<Edit, { op: 'turn' }>) {
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session === undefined) return 'absent';
  const last = (session['entireConversation'] as { turnId: string }[]).at(-1);
  const { userId } = store.identity();
  const turn = { ...values, sessionId, previousTurnId: last?.turnId ?? null, userId };
  return insert(store, 'aiConversations', rowId, turn);
}

/** Once known, words and assessments stay. */
function fillIn(store: Store, { rowId, values }: Extract<Edit, { op: 'fill' }>) {
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

function complete(store: Store, { sessionId, entry }: Extract<Edit, { op: 'objective' }>) {
  const session = readRow(store, 'practiceHistory', sessionId);
  if (session === undefined) return 'absent';
  const completed = session['completedObjectives'] as CompletedObjective[];
  if (completed.some(({ objectiveId }) => objectiveId === entry['objectiveId'])) return 'unchanged';
  return update(store, 'practiceHistory', sessionId, { completedObjectives: [...completed, entry] });
}

/** As the product does it: the whole list with its entries renewed; the list is the learner's one row. */
function practiseWords(store: Store, edit: Extract<Edit, { op: 'words' }>): StoreEdit {
  const key = 'pronunciationImprovementSummary';
  const { userId } = store.identity();
  const deviceId = store.attemptKey();
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
    make: () =>
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
