/** The outbox: changes that the server does not hold yet, in the order in which they were made. */
import type { Mutation } from '@parley/contract';
import {
  changedWords,
  entities,
  type FieldClocks,
  mergePronunciationWords,
  nextHybridTime,
  type PronunciationWord,
  unitFieldsOf,
} from '@parley/domain';
import { and, eq, min } from 'drizzle-orm';
import { outbox, syncState } from './device-tables.ts';
import type { LearnerKey } from './learner-keys.ts';
import { prepareInsert, valueOf } from './prepared.ts';
import { toWire, type Values, wholeRowToWire } from './row-values.ts';
import type { Store } from './store.ts';

interface Queued {
  rowId: string;
  op: Mutation['op'];
  fields: Mutation['fields'];
  creates: boolean;
  /** The version of the row that the change was made on. */
  base: number;
}

interface Statements {
  queue: (values: typeof outbox.$inferInsert) => void;
  readClock: () => Pick<typeof syncState.$inferSelect, 'lastHybridTime' | 'deviceId'> | undefined;
  setClock: (lastHybridTime: string) => void;
}

const statementsByStore = new WeakMap<Store, Statements>();

function statementsOf(store: Store): Statements {
  const known = statementsByStore.get(store);
  if (known !== undefined) return known;
  const clock = store.db
    .select({ lastHybridTime: syncState.lastHybridTime, deviceId: syncState.deviceId })
    .from(syncState)
    .prepare();
  const setClock = store.db
    .update(syncState)
    .set({ lastHybridTime: valueOf('lastHybridTime') })
    .prepare();
  const made: Statements = {
    queue: prepareInsert(store, outbox),
    readClock: () => clock.get(),
    setClock: (lastHybridTime) => void setClock.run({ lastHybridTime }),
  };
  statementsByStore.set(store, made);
  return made;
}

export const lastHybridTimeOf = (store: Store): string | null =>
  statementsOf(store).readClock()?.lastHybridTime ?? null;

export const setLastHybridTime = (store: Store, time: string): void => statementsOf(store).setClock(time);

function nextTime(store: Store): string {
  const statements = statementsOf(store);
  const state = statements.readClock();
  if (state === undefined) throw new Error('the device has no identity yet');
  const at = nextHybridTime(state.lastHybridTime, { ms: store.clock.now().getTime(), deviceId: state.deviceId });
  statements.setClock(at);
  return at;
}

/**
 * What travels of an update: the fields that changed. The fields of a unit travel together, since another device may have set them too; of a
 * list of words the entries that changed.
 */
export function fieldsToSend(key: LearnerKey, current: Values, changed: Values): Mutation['fields'] {
  const unit = unitFieldsOf(key);
  const sent: Values = unit.some((name) => name in changed)
    ? { ...Object.fromEntries(unit.map((name) => [name, current[name]])), ...changed }
    : { ...changed };
  if (key === 'pronunciationImprovementSummary' && 'words' in sent)
    sent['words'] = changedWords(wordsIn(current['words']), wordsIn(sent['words']));
  return toWire(key, sent);
}

const wordsIn = (value: unknown): PronunciationWord[] => (Array.isArray(value) ? (value as PronunciationWord[]) : []);

export function queueChange(store: Store, key: LearnerKey, change: Queued): void {
  const tableName = entities[key].name;
  // A row that is only being made has no earlier edits.
  const whole = change.creates ? change.fields : absorbEarlier(store, tableName, change);
  for (const fields of splitWords(whole))
    statementsOf(store).queue({
      ...change,
      fields,
      tableName,
      mutationId: store.newId(),
      deviceSeq: null,
      at: nextTime(store),
      state: 'waiting',
    });
}

/** An entry has about 300 bytes, 900 at most, so that so many of them fit into one push. */
const WORDS_PER_CHANGE = 1_000;

/** A long list of words goes out in several changes of the same row: the server unites them. */
function splitWords(fields: Mutation['fields']): Mutation['fields'][] {
  const words = wordsIn(fields['words']);
  if (words.length <= WORDS_PER_CHANGE) return [fields];
  return Array.from({ length: Math.ceil(words.length / WORDS_PER_CHANGE) }, (_, part) => ({
    ...fields,
    ...toWire('pronunciationImprovementSummary', {
      words: words.slice(part * WORDS_PER_CHANGE, (part + 1) * WORDS_PER_CHANGE),
    }),
  }));
}

/** A newer edit takes its fields over from edits that were never sent: an offline hour sends each field once. Answers what is to be sent. */
function absorbEarlier(store: Store, tableName: string, change: Queued): Mutation['fields'] {
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
    // Each edit of a list of words brings other entries of it.
    const united =
      'words' in earlier.fields && 'words' in fields
        ? mergePronunciationWords(wordsIn(earlier.fields['words']), wordsIn(fields['words']))
        : [];
    const staysApart = united.length > WORDS_PER_CHANGE;
    if (united.length > 0 && !staysApart)
      fields = { ...fields, ...toWire('pronunciationImprovementSummary', { words: united }) };
    const left = Object.fromEntries(
      Object.entries(earlier.fields).filter(([name]) => !(name in fields) || (name === 'words' && staysApart)),
    );
    const isEarlier = eq(outbox.position, earlier.position);
    if (Object.keys(left).length === 0) store.db.delete(outbox).where(isEarlier).run();
    else store.db.update(outbox).set({ fields: left }).where(isEarlier).run();
  }
  return fields;
}

/** Queues a row's whole content again, as a creation, and its deletion if it is deleted: others may refer to it all the same. */
export function requeueRow(store: Store, key: LearnerKey, row: Values): void {
  const rowId = String(row[entities[key].key]);
  const fields = wholeRowToWire(key, row);
  queueChange(store, key, { rowId, op: 'upsert', fields, creates: true, base: 0 });
  if (row['deletedAt'] !== null) queueChange(store, key, { rowId, op: 'delete', fields: {}, creates: false, base: 0 });
}

/**
 * Queues rows for a server that has lost them, with the times at which their fields were set, before everything that was waiting: that may
 * be about these rows. Parents come first in `rows`.
 */
export function queueRestores(store: Store, rows: readonly { key: LearnerKey; row: Values }[]): void {
  const first = store.db
    .select({ position: min(outbox.position) })
    .from(outbox)
    .get()?.position;
  const parts = rows.flatMap(({ key, row }) =>
    splitWords(wholeRowToWire(key, row)).map((fields) => ({ key, row, fields })),
  );
  const from = Math.min(first ?? 0, 0) - parts.length;
  for (const [index, { key, row, fields }] of parts.entries()) {
    statementsOf(store).queue({
      position: from + index,
      mutationId: store.newId(),
      deviceSeq: null,
      tableName: entities[key].name,
      rowId: String(row[entities[key].key]),
      op: 'restore',
      fields,
      clocks: (row['fieldClocks'] ?? {}) as FieldClocks,
      creates: true,
      base: 0,
      at: nextTime(store),
      state: 'waiting',
    });
  }
}
