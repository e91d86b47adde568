/** The only way in which a learner's row changes: the row and its outbox entry, in one transaction. */
import type { Mutation } from '@parley/contract';
import {
  entities,
  type Field,
  isLater,
  lastHybridTimeAt,
  nextHybridTime,
  type Row,
  someFieldsSchema,
  wireSchema,
} from '@parley/domain';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Store } from './store.ts';
import { isConstraintFailure } from './connection.ts';
import { outbox, syncState } from './device-tables.ts';
import { prepareInsert, valueOf } from './prepared.ts';
import type { Salvaged, UnsentChange } from './salvage.ts';
import { type StoredKey, tables } from './tables.ts';

/** Tables whose rows a learner writes. */
export type LearnerKey =
  | 'users'
  | 'coachAssignmentHistory'
  | 'enrollments'
  | 'userCourseInteraction'
  | 'aiConversations'
  | 'feedbackDetails'
  | 'practiceHistory'
  | 'pronunciationImprovementSummary';

export const LEARNER_KEYS: readonly LearnerKey[] = [
  'users',
  'coachAssignmentHistory',
  'enrollments',
  'userCourseInteraction',
  'aiConversations',
  'feedbackDetails',
  'practiceHistory',
  'pronunciationImprovementSummary',
];

type Mixin = 'createdAt' | 'updatedAt' | 'syncVersion' | 'deletedAt';
export type NewRow<Key extends StoredKey> = Omit<Row<Key>, Mixin>;

type Values = Record<string, unknown>;

/** Inserts a learner's row; times and sync columns are added here. */
export function insertRow<Key extends LearnerKey>(store: Store, key: Key, row: NewRow<Key>): void {
  const now = store.clock.now();
  commitChange(store, key, { op: 'insert', values: { ...row, createdAt: now, updatedAt: now } });
}

/** Changes fields of a learner's row; what is the same as before does not travel, and nothing new means no change. */
export function updateRow<Key extends LearnerKey>(
  store: Store,
  key: Key,
  rowId: string,
  changes: Partial<NewRow<Key>>,
): void {
  commitChange(store, key, { op: 'update', rowId, values: changes });
}

/** Leaves a tombstone, so that other devices learn of the deletion. */
export function removeRow(store: Store, key: LearnerKey, rowId: string): void {
  commitChange(store, key, { op: 'delete', rowId, values: {} });
}

type Change = { op: 'insert'; values: Values } | { op: 'update' | 'delete'; rowId: string; values: Values };

function commitChange(store: Store, key: LearnerKey, change: Change): void {
  const entity = entities[key];
  const table: SQLiteTable = tables[key];
  store.transaction(() => {
    if (change.op === 'insert') {
      const values = parseFields(key, change.values);
      statementsOf(store).insert(key)({ ...values, syncVersion: 0, deletedAt: null, ...accountDefaults(key) });
      queue(store, key, {
        rowId: String(values[entity.key]),
        op: 'upsert',
        fields: toWire(key, values),
        creates: true,
      });
    } else {
      const primaryKey = keyColumn(key);
      const current: Values | undefined = store.db.select().from(table).where(eq(primaryKey, change.rowId)).get();
      if (current === undefined) throw new Error(`no row to change in ${entity.name}`);
      const now = store.clock.now();
      if (change.op === 'delete') {
        store.db.update(table).set({ deletedAt: now, updatedAt: now }).where(eq(primaryKey, change.rowId)).run();
        queue(store, key, { rowId: change.rowId, op: 'delete', fields: {}, creates: false });
      } else {
        const changed = onlyChanged(key, current, parseFields(key, change.values));
        if (Object.keys(changed).length === 0) return;
        store.db
          .update(table)
          .set({ ...changed, updatedAt: now })
          .where(eq(primaryKey, change.rowId))
          .run();
        queue(store, key, { rowId: change.rowId, op: 'upsert', fields: toWire(key, changed), creates: false });
      }
    }
    store.touch(entity.name);
  });
}

export function keyColumn(key: StoredKey): AnySQLiteColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>)[entities[key].key];
  if (column === undefined) throw new Error(`${key} has no key`);
  return column;
}

const fieldOf = (key: StoredKey, name: string): Field => {
  const field = (entities[key].fields as Record<string, Field>)[name];
  if (field === undefined) throw new Error(`${entities[key].name} has no field ${name}`);
  return field;
};

/** The server's fields of a row that the learner's device creates. */
const accountDefaults = (key: LearnerKey): Values =>
  Object.fromEntries(entities[key].accountFields.map((name) => [name, fieldOf(key, name).initial ?? null]));

const parseFields = (key: StoredKey, values: Values): Values => someFieldsSchema(entities[key]).parse(values);

const toWireValue = (field: Field, value: unknown): Mutation['fields'][string] =>
  field.kind === 'time' && value instanceof Date ? value.toISOString() : (value as Mutation['fields'][string]);

/** Stamped by the server whatever a device says, so they do not travel. */
const SERVER_SET: ReadonlySet<string> = new Set(['updatedAt', 'syncVersion', 'deletedAt']);

const toWire = (key: StoredKey, values: Values): Mutation['fields'] =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !SERVER_SET.has(name))
      .map(([name, value]) => [name, toWireValue(fieldOf(key, name), value)]),
  );

function onlyChanged(key: StoredKey, current: Values, values: Values): Values {
  const asText = (name: string, value: unknown): string => JSON.stringify(toWireValue(fieldOf(key, name), value));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => asText(name, value) !== asText(name, current[name] ?? null)),
  );
}

interface Queued {
  rowId: string;
  op: Mutation['op'];
  fields: Mutation['fields'];
  creates: boolean;
}

/** Queues a row's whole content again, as a creation, and its deletion if it is deleted: others may refer to it all the same. */
export function requeueRow(store: Store, key: LearnerKey, row: Values): void {
  const own = Object.entries(row).filter(([name]) => !entities[key].accountFields.includes(name));
  const fields = toWire(key, Object.fromEntries(own));
  const rowId = String(row[entities[key].key]);
  queue(store, key, { rowId, op: 'upsert', fields, creates: true });
  if (row['deletedAt'] !== null) queue(store, key, { rowId, op: 'delete', fields: {}, creates: false });
}

interface Statements {
  insert: (key: LearnerKey) => (values: Values) => void;
  queue: (values: typeof outbox.$inferInsert) => void;
  readClock: () => Pick<typeof syncState.$inferSelect, 'lastHybridTime' | 'deviceId'> | undefined;
  setClock: (lastHybridTime: string) => void;
}

const statementsByStore = new WeakMap<Store, Statements>();

function statementsOf(store: Store): Statements {
  const known = statementsByStore.get(store);
  if (known !== undefined) return known;
  const inserts = new Map<LearnerKey, (values: Values) => void>();
  const clock = store.db
    .select({ lastHybridTime: syncState.lastHybridTime, deviceId: syncState.deviceId })
    .from(syncState)
    .prepare();
  const setClock = store.db
    .update(syncState)
    .set({ lastHybridTime: valueOf('lastHybridTime') })
    .prepare();
  const made: Statements = {
    insert: (key) => {
      const insert = inserts.get(key) ?? prepareInsert(store, tables[key]);
      inserts.set(key, insert);
      return insert;
    },
    queue: prepareInsert(store, outbox),
    readClock: () => clock.get(),
    setClock: (lastHybridTime) => void setClock.run({ lastHybridTime }),
  };
  statementsByStore.set(store, made);
  return made;
}

function queue(store: Store, key: LearnerKey, change: Queued): void {
  const tableName = entities[key].name;
  // A row that is only being made has no earlier edits.
  if (!change.creates) takeOver(store, tableName, change);
  const statements = statementsOf(store);
  const state = statements.readClock();
  if (state === undefined) throw new Error('the device has no identity yet');
  const at = nextHybridTime(state.lastHybridTime, { ms: store.clock.now().getTime(), deviceId: state.deviceId });
  statements.setClock(at);
  statements.queue({ ...change, tableName, mutationId: store.newId(), deviceSeq: null, at, state: 'waiting' });
}

/** What the server wrote by its own clock has been seen: the next edit here is later, also where this device's clock is behind. */
export function noteWritten(store: Store, at: Date): void {
  const statements = statementsOf(store);
  const state = statements.readClock();
  if (state === undefined) throw new Error('the device has no identity yet');
  const seen = lastHybridTimeAt(at.getTime(), state.deviceId);
  if (isLater(seen, state.lastHybridTime)) statements.setClock(seen);
}

/** A newer edit takes its fields over from edits that were never sent: an offline hour sends a conversation once. */
function takeOver(store: Store, tableName: string, change: Queued): void {
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
  for (const earlier of waiting) {
    const left = Object.fromEntries(Object.entries(earlier.fields).filter(([name]) => !(name in change.fields)));
    const isEarlier = eq(outbox.position, earlier.position);
    if (Object.keys(left).length === 0) store.db.delete(outbox).where(isEarlier).run();
    else store.db.update(outbox).set({ fields: left }).where(isEarlier).run();
  }
}

/**
 * Puts back what only a damaged database had: its changes into the outbox, under the times at which they were made, and into their
 * rows. What they refer to may be gone with the damage; then a row comes with the next pull, once the server has the change.
 */
export function takeBackChanges(store: Store, salvaged: Salvaged): void {
  const { identity, lastHybridTime, unsent } = salvaged;
  const { userId } = store.identity();
  store.transaction(() => {
    forgetWhatWasAnswered(store, salvaged);
    for (const change of unsent) {
      const owner = change.putAwayFor ?? identity?.userId ?? userId;
      takeBackChange(store, { ...change, putAwayFor: owner === userId ? null : owner });
    }
    // The next edit must be later than all that this device has made, also than those that the backup does not know.
    const known = statementsOf(store).readClock()?.lastHybridTime ?? null;
    const latest = [known, lastHybridTime, ...unsent.map(({ at }) => at)].reduce<string | null>(
      (last, at) => (at !== null && isLater(at, last) ? at : last),
      null,
    );
    if (latest !== null) statementsOf(store).setClock(latest);
  });
}

/** Sent once more, a change by a clock that ran ahead would be taken for a new one, and win over what came after it. */
function forgetWhatWasAnswered(store: Store, { identity, unsent, isComplete }: Salvaged): void {
  const own = store.identity();
  if (!isComplete || identity?.deviceId !== own.deviceId || identity.userId !== own.userId) return;
  const ids = JSON.stringify(unsent.map(({ id }) => id));
  const { changes } = store.db
    .delete(outbox)
    .where(sql`${outbox.mutationId} not in (select value from json_each(${ids}))`)
    .run();
  // Their rows still show them, though the server may have kept what it had: it is asked for them again.
  if (changes > 0) askForEverything(store);
}

/** The server's rows come over what this device holds, also those that are no newer. */
const askForEverything = ({ db }: Store): void =>
  void db.update(syncState).set({ userCursor: 0, olderCursor: null }).run();

function takeBackChange(store: Store, change: UnsentChange): void {
  const key = LEARNER_KEYS.find((each) => entities[each].name === change.table);
  if (key === undefined) return;
  const { id: mutationId, table: tableName, rowId, op, fields, creates, at, putAwayFor } = change;
  const queued = store.db
    .insert(outbox)
    .values({ mutationId, tableName, rowId, op, fields, creates, at, deviceSeq: null, state: 'waiting', putAwayFor })
    .onConflictDoNothing()
    .run();
  if (queued.changes === 0 || putAwayFor !== null) return;
  // Whatever this device held beyond the backup is to come back.
  askForEverything(store);
  // Where its row is not here, later edits are made without knowing of it: none may take its fields over.
  if (!redo(store, key, change))
    store.db.update(outbox).set({ creates: true }).where(eq(outbox.mutationId, mutationId)).run();
  store.touch(tableName);
}

/** Whether the row then shows it. */
function redo(store: Store, key: LearnerKey, { rowId, op, fields, creates }: UnsentChange): boolean {
  const { shape } = wireSchema(entities[key]);
  const values: Values = {};
  for (const [name, value] of Object.entries(fields)) {
    const parsed = Object.hasOwn(shape, name) ? shape[name]?.safeParse(value) : undefined;
    if (parsed?.success === true) values[name] = parsed.data;
  }
  const now = store.clock.now();
  const changed = op === 'delete' ? { deletedAt: now } : values;
  const table: SQLiteTable = tables[key];
  try {
    const { changes } = store.db
      .update(table)
      .set({ ...changed, updatedAt: now })
      .where(eq(keyColumn(key), rowId))
      .run();
    if (changes > 0 || !creates) return changes > 0;
    const fresh = { createdAt: now, ...values, updatedAt: now, syncVersion: 0, deletedAt: null };
    statementsOf(store).insert(key)({ ...fresh, ...accountDefaults(key) });
    return true;
  } catch (error) {
    if (isConstraintFailure(error)) return false;
    throw error;
  }
}
