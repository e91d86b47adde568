/** The outbox: changes that the server has not confirmed, in the order in which they were made. */
import type { Mutation } from '@parley/contract';
import {
  changedWords,
  entities,
  type FieldClocks,
  isDeletedBy,
  latestTime,
  MAX_PRONUNCIATION_WORDS,
  mergePronunciationWords,
  nextHybridTime,
  type PronunciationWord,
  unitFieldsOf,
} from '@parley/domain';
import { and, eq, min } from 'drizzle-orm';
import { outbox, syncState } from '../schema/device-tables.ts';
import type { LearnerKey } from '../schema/learner-keys.ts';
import { prepareInsert, prepareOnce, valuePlaceholder } from './prepared-statements.ts';
import { toWire, type Values, wholeRowToWire } from './row-values.ts';
import type { Store } from '../store.ts';

interface NewChange {
  rowId: string;
  op: Mutation['op'];
  fields: Mutation['fields'];
  creates: boolean;
  /** The row version that the change was based on. */
  base: number;
  /** When the change was made, if not now. */
  at?: string | null;
}

type Counters = Pick<typeof syncState.$inferSelect, 'lastHybridTime' | 'nextDeviceSeq'>;

interface Statements {
  insertChange: (values: typeof outbox.$inferInsert) => void;
  readCounters: () => (Counters & Pick<typeof syncState.$inferSelect, 'deviceId'>) | undefined;
  setClock: (lastHybridTime: string) => void;
  setCounters: (counters: Counters) => void;
}

const preparedStatements = prepareOnce((store): Statements => {
  const { lastHybridTime: time, deviceId, nextDeviceSeq: nextSeq } = syncState;
  const counters = store.db
    .select({ lastHybridTime: time, deviceId, nextDeviceSeq: nextSeq })
    .from(syncState)
    .prepare();
  const setCounters = store.db
    .update(syncState)
    .set({ lastHybridTime: valuePlaceholder('lastHybridTime'), nextDeviceSeq: valuePlaceholder('nextDeviceSeq') })
    .prepare();
  const setClock = store.db
    .update(syncState)
    .set({ lastHybridTime: valuePlaceholder('lastHybridTime') })
    .prepare();
  return {
    insertChange: prepareInsert(store, outbox),
    readCounters: () => counters.get(),
    setClock: (lastHybridTime) => void setClock.run({ lastHybridTime }),
    setCounters: (values) => void setCounters.run(values),
  };
});

export const lastHybridTimeOf = (store: Store): string | null =>
  preparedStatements(store).readCounters()?.lastHybridTime ?? null;

export const setLastHybridTime = (store: Store, time: string): void => preparedStatements(store).setClock(time);

const storesThatSendAtOnce = new WeakSet<Store>();

/**
 * Whether each change is sent as soon as it is made, which is the case while the device is online and has nothing else
 * to send. Such a change gets its sequence number when it is made, which saves a second wait for the disk.
 */
export function setSendsAtOnce(store: Store, sendsAtOnce: boolean): void {
  if (sendsAtOnce) storesThatSendAtOnce.add(store);
  else storesThatSendAtOnce.delete(store);
}

/** Returns the change's time, and its sequence number if it is sent at once. */
function nextStamp(
  store: Store,
  { mayBeNumbered }: { mayBeNumbered: boolean },
): Pick<typeof outbox.$inferInsert, 'at' | 'deviceSeq' | 'state'> {
  const { readCounters, setCounters } = preparedStatements(store);
  const known = readCounters();
  if (known === undefined) throw new Error('the device has no identity yet');
  const { deviceId, nextDeviceSeq } = known;
  const at = nextHybridTime(known.lastHybridTime, { ms: store.clock.now().getTime(), deviceId });
  // This is 0 while only the server knows the last number.
  const isNumbered = mayBeNumbered && nextDeviceSeq > 0 && storesThatSendAtOnce.has(store);
  setCounters({ lastHybridTime: at, nextDeviceSeq: nextDeviceSeq + (isNumbered ? 1 : 0) });
  return isNumbered ? { at, deviceSeq: nextDeviceSeq, state: 'sent' } : { at, deviceSeq: null, state: 'waiting' };
}

/**
 * Returns the fields of an update that are sent. The fields of a unit are sent together, because another device may
 * have set them too; a word list sends only its changed entries.
 */
export function fieldsToSend(key: LearnerKey, current: Values, changed: Values): Mutation['fields'] {
  const unit = unitFieldsOf(key);
  const sent: Values = unit.some((name) => name in changed)
    ? { ...Object.fromEntries(unit.map((name) => [name, current[name]])), ...changed }
    : { ...changed };
  if (key === 'pronunciationImprovementSummary' && 'words' in sent)
    sent['words'] = changedWords(toWords(current['words']), toWords(sent['words']));
  return toWire(key, sent);
}

const toWords = (value: unknown): PronunciationWord[] => (Array.isArray(value) ? (value as PronunciationWord[]) : []);

export function queueChange(store: Store, key: LearnerKey, { at = null, ...change }: NewChange): void {
  const tableName = entities[key].name;
  // A new row has no earlier edits.
  const whole = change.creates ? change.fields : absorbEarlierEdits(store, tableName, change);
  for (const fields of splitWords(whole))
    preparedStatements(store).insertChange({
      ...change,
      fields,
      tableName,
      mutationId: store.newId(),
      ...nextStamp(store, { mayBeNumbered: true }),
      ...(at !== null && { at }),
    });
}

/** An entry has 300 to 900 bytes, so this many fit into one push. */
const WORDS_PER_CHANGE = 1_000;

/** Splits a long word list into several changes of the same row, which the server merges. */
function splitWords(fields: Mutation['fields']): Mutation['fields'][] {
  const words = toWords(fields['words']);
  if (words.length <= WORDS_PER_CHANGE) return [fields];
  return Array.from({ length: Math.ceil(words.length / WORDS_PER_CHANGE) }, (_, part) => ({
    ...fields,
    ...toWire('pronunciationImprovementSummary', {
      words: words.slice(part * WORDS_PER_CHANGE, (part + 1) * WORDS_PER_CHANGE),
    }),
  }));
}

/**
 * Moves the fields of earlier unsent edits into the newer one, so that each field is sent once. Returns the fields to
 * send.
 */
function absorbEarlierEdits(store: Store, tableName: string, change: NewChange): Mutation['fields'] {
  const waiting = store.db
    .select({ position: outbox.position, fields: outbox.fields })
    .from(outbox)
    .where(
      and(
        eq(outbox.tableName, tableName),
        eq(outbox.rowId, change.rowId),
        eq(outbox.state, 'waiting'),
        eq(outbox.op, 'upsert'),
        eq(outbox.creates, false),
      ),
    )
    .all();
  let fields = change.fields;
  for (const earlier of waiting) {
    // Each edit of a word list contains other entries, so they are merged.
    const merged =
      'words' in earlier.fields && 'words' in fields
        ? mergePronunciationWords(toWords(earlier.fields['words']), toWords(fields['words']))
        : [];
    const isTooLong = merged.length > WORDS_PER_CHANGE;
    if (merged.length > 0 && !isTooLong)
      fields = { ...fields, ...toWire('pronunciationImprovementSummary', { words: merged }) };
    const left = Object.fromEntries(
      Object.entries(earlier.fields).filter(([name]) => !(name in fields) || (name === 'words' && isTooLong)),
    );
    const isEarlier = eq(outbox.position, earlier.position);
    if (Object.keys(left).length === 0) store.db.delete(outbox).where(isEarlier).run();
    else store.db.update(outbox).set({ fields: left }).where(isEarlier).run();
  }
  return fields;
}

/**
 * Queues a complete row as a creation, followed by a deletion if it is deleted, because other rows may refer to it.
 * Both get the row's own times, if it has any, so that they replace nothing newer.
 */
export function requeueRow(store: Store, key: LearnerKey, row: Values): void {
  const rowId = String(row[entities[key].key]);
  const fields = wholeRowToWire(key, row);
  const { deletedAt = null, ...fieldTimes } = (row['fieldClocks'] ?? {}) as FieldClocks;
  const at = latestTime(Object.values(fieldTimes));
  queueChange(store, key, { rowId, op: 'upsert', fields, creates: true, base: 0, at });
  if (row['deletedAt'] !== null)
    queueChange(store, key, { rowId, op: 'delete', fields: {}, creates: false, base: 0, at: at && deletedAt });
}

/**
 * Queues a complete row that may exist in another state in the account, with the times of its fields: it neither
 * replaces anything newer nor is replaced by anything older.
 */
export function requeueTimedRow(store: Store, key: LearnerKey, row: Values): void {
  const { deletedAt, ...fieldTimes } = (row['fieldClocks'] ?? {}) as FieldClocks;
  const isDeleted = row['deletedAt'] !== null;
  const clocks = isDeleted && deletedAt !== undefined ? { ...fieldTimes, deletedAt } : fieldTimes;
  for (const change of restoresOf(store, { key, row: { ...row, fieldClocks: clocks } }))
    preparedStatements(store).insertChange(change);
  // Because of a wrong clock, the deletion may be dated before the last change.
  if (isDeleted && !isDeletedBy(clocks)) {
    const rowId = String(row[entities[key].key]);
    queueChange(store, key, { rowId, op: 'delete', fields: {}, creates: false, base: 0 });
  }
}

/**
 * Queues rows that the server has lost, with their original times, ahead of all waiting changes, which may refer to
 * them. `rows` lists parents first.
 */
export function queueRestores(store: Store, rows: readonly RestoredRow[]): void {
  const queue = openRestoreQueue(store, { atMost: rows.length });
  for (const row of rows) queue(row);
}

interface RestoredRow {
  key: LearnerKey;
  row: Values;
}

const MAX_CHANGES_PER_ROW = Math.ceil(MAX_PRONUNCIATION_WORDS / WORDS_PER_CHANGE);

/** Does the same as `queueRestores`, row by row. Create and use the queue within one transaction. */
export function openRestoreQueue(store: Store, { atMost }: { atMost: number }): (restored: RestoredRow) => void {
  const first = store.db
    .select({ position: min(outbox.position) })
    .from(outbox)
    .get()?.position;
  let position = Math.min(first ?? 0, 0) - atMost * MAX_CHANGES_PER_ROW;
  return (restored) => {
    for (const change of restoresOf(store, restored)) {
      preparedStatements(store).insertChange({ ...change, position });
      position += 1;
    }
  };
}

const restoresOf = (store: Store, { key, row }: RestoredRow): (typeof outbox.$inferInsert)[] =>
  splitWords(wholeRowToWire(key, row)).map((fields) => ({
    mutationId: store.newId(),
    tableName: entities[key].name,
    rowId: String(row[entities[key].key]),
    op: 'restore',
    fields,
    clocks: (row['fieldClocks'] ?? {}) as FieldClocks,
    creates: true,
    base: 0,
    ...nextStamp(store, { mayBeNumbered: false }),
  }));
