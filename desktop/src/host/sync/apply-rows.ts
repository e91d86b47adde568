/** Takes the server's rows as the truth and puts what still waits in the outbox on top. */
import type { Mutation, TableRows } from '@parley/contract';
import {
  clocksOfCreation,
  entities,
  entityKeyByTable,
  type EntityKey,
  type Field,
  FieldClocks,
  formatHybridTime,
  isProjection,
  mergeStates,
  saySame,
  wireSchema,
} from '@parley/domain';
import { and, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { z } from 'zod';
import type { Logger } from '../logger.ts';
import {
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  prepareFor,
  prepareUpsert,
  projectSession,
  type Store,
  type StoredKey,
  syncState,
  tables,
  valueOf,
} from '../store/index.ts';
import { clocksOf, type Values, withWaitingChanges } from './overlay.ts';
import { forgetUnread, keepUnread, unreadCount } from './unread-rows.ts';

/** A row that was taken in: its table and id, and the version at which the server holds it. */
export interface AppliedRow {
  key: StoredKey;
  rowId: string;
  version: number;
  /** Whether this device had more of it than the server, which was put back in time. */
  isNewerHere: boolean;
}

export interface RowWriter {
  /** Inside a transaction of the store. */
  apply: (tables: readonly TableRows[]) => AppliedRow[];
}

/** Statements are prepared once a table: a first sync writes thousands of rows with each. */
export function createRowWriter({ store, logger }: { store: Store; logger: Logger }): RowWriter {
  const statements = new Map<StoredKey, TableStatements>();
  const statementsOf = (key: StoredKey): TableStatements => {
    const known = statements.get(key) ?? prepareStatements(store, key);
    statements.set(key, known);
    return known;
  };

  function applyRow(key: StoredKey, values: Values, state: BatchState): AppliedRow {
    const rowId = String(values[entities[key].key]);
    const { upsert, removeRivals } = statementsOf(key);
    const own = state.isNewEpoch && isLearners(key) ? mergeOwn(store, key, { rowId, values }) : null;
    const server = own ?? values;
    const truth = state.hasWaiting ? withWaitingChanges(store, key, { rowId, values: server }) : server;
    removeRivals(truth);
    upsert(truth);
    if (state.hasUnread) forgetUnread(store, key, rowId);
    return { key, rowId, version: Number(values['syncVersion']), isNewerHere: own !== null };
  }

  return {
    apply(pulled) {
      const state = batchState(store);
      const sessions = new Set<string>();
      const applied = pulled.flatMap(({ table, fields, rows }) => {
        const key = entityKeyByTable.get(table);
        // A newer server may send tables and fields that this version does not know: they are asked for again after an upgrade.
        if (!isStored(key) || rows.length === 0) return [];
        store.touch(table);
        const decode = statementsOf(key).decoder(fields);
        return rows.map((row): AppliedRow => {
          const values = decode(row);
          if (values === null) {
            logger.error({ table }, 'unreadable_row_kept');
            const raw = Object.fromEntries(fields.map((name, index) => [name, row[index]])) as Mutation['fields'];
            return { key, ...keepUnread(store, key, raw), isNewerHere: false };
          }
          if (key === 'practiceHistory') sessions.add(String(values['id']));
          if (typeof values['sessionId'] === 'string') sessions.add(values['sessionId']);
          return applyRow(key, values, state);
        });
      });
      for (const sessionId of sessions) projectSession(store, sessionId);
      return applied;
    },
  };
}

interface BatchState {
  hasWaiting: boolean;
  hasUnread: boolean;
  /** The server was put back in time: what comes may be older than what is here. */
  isNewEpoch: boolean;
}

const batchState = (store: Store): BatchState => ({
  hasWaiting: store.db.select({ position: outbox.position }).from(outbox).limit(1).get() !== undefined,
  hasUnread: unreadCount(store) > 0,
  isNewEpoch: store.db.select({ resync: syncState.resync }).from(syncState).get()?.resync === 'epoch',
});

const isStored = (key: EntityKey | undefined): key is StoredKey => key !== undefined && key in tables;
const isLearners = (key: StoredKey): key is LearnerKey => LEARNER_KEYS.some((learners) => learners === key);

/** This device's copy merged into the server's; null where the server has all of it. */
function mergeOwn(store: Store, key: LearnerKey, { rowId, values }: { rowId: string; values: Values }): Values | null {
  const own: Values | undefined = store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(keyColumn(key), rowId))
    .get();
  if (own === undefined) return null;
  const clocks = clocksOf(own);
  const server = { values, clocks: isTimedAsWhole(clocks) ? clocksOrWritten(store, values) : clocksOf(values) };
  const merged = mergeStates(key, server, { values: own, clocks });
  const isDeletedThere = values['deletedAt'] !== null;
  if (merged.isDeleted === isDeletedThere && saySame(fieldNames(key), merged.values, values)) return null;
  const deletedAt = merged.isDeleted ? (values['deletedAt'] ?? own['deletedAt']) : null;
  return { ...merged.values, fieldClocks: merged.clocks, deletedAt };
}

const isTimedAsWhole = (clocks: FieldClocks): boolean => Object.keys(clocks).join() === '*';

/** A row that no device of protocol 3 has written has no times of its fields: all of it counts as of when it was written. */
function clocksOrWritten(store: Store, values: Values): FieldClocks {
  const clocks = clocksOf(values);
  const { updatedAt } = values;
  if (Object.keys(clocks).length > 0 || !(updatedAt instanceof Date)) return clocks;
  const { deviceId } = store.identity();
  return clocksOfCreation(formatHybridTime({ ms: updatedAt.getTime(), counter: 0, deviceId }));
}

const fieldNames = (key: LearnerKey): string[] =>
  Object.keys(entities[key].fields).filter(
    (name) => !isProjection(entities[key], name) && !['updatedAt', 'syncVersion', 'deletedAt'].includes(name),
  );

type Decode = (row: readonly unknown[]) => Values | null;

/** Null for a row of which a field that we know cannot be read, or is missing. */
function decoderFor(key: StoredKey): TableStatements['decoder'] {
  const entity = entities[key];
  // Names that we do not know never come so far: to look for them again in every row would take as long as reading it.
  const sent = Object.entries(wireSchema(entity).shape).filter(([name]) => !isProjection(entity, name));
  const schema = z.object(Object.fromEntries(sent));
  return (fields) => {
    const known = fields.flatMap((name, index) => (Object.hasOwn(schema.shape, name) ? [{ name, index }] : []));
    const clocksAt = fields.indexOf('fieldClocks');
    return (row) => {
      const named: Values = {};
      for (const { name, index } of known) named[name] = row[index];
      const parsed = schema.safeParse(named);
      if (!parsed.success) return null;
      if (clocksAt === -1) return parsed.data;
      const clocks = FieldClocks.safeParse(row[clocksAt]);
      return { ...parsed.data, fieldClocks: clocks.success ? clocks.data : {} };
    };
  };
}

interface TableStatements {
  /** For rows whose values come in this order. */
  decoder: (fields: readonly string[]) => Decode;
  upsert: (values: Values) => void;
  /** A row of ours that claims what the server gave to another one goes: the server's stays. */
  removeRivals: (values: Values) => void;
}

function prepareStatements(store: Store, key: StoredKey): TableStatements {
  return {
    decoder: decoderFor(key),
    // What is newer here came by another way, and stays. The catalogue can be put back to what it was.
    upsert: prepareUpsert(store, key, ({ syncVersion }) =>
      entities[key].owner === 'catalogue' || syncVersion === undefined
        ? undefined
        : sql`excluded.${sql.identifier(syncVersion.name)} >= ${syncVersion}`,
    ),
    removeRivals: rivalRemover(store, key),
  };
}

function rivalRemover(store: Store, key: StoredKey): TableStatements['removeRivals'] {
  const entity = entities[key];
  if (entity.owner === 'catalogue') return () => undefined;
  const table: SQLiteTable = tables[key];
  const columns = getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>;
  const single = Object.entries(entity.fields as Record<string, Field>)
    .filter(([name, field]) => field.unique && name !== entity.key)
    .map(([name]) => ({ group: [name], isOfLiveRows: false }));
  const together = entity.uniqueTogether.map((group) => ({ group, isOfLiveRows: true }));
  const removers = [...single, ...together].map(({ group, isOfLiveRows }) => {
    const same = group.flatMap((name) => {
      const column = columns[name];
      return column === undefined ? [] : [eq(column, valueOf(name))];
    });
    const { deletedAt } = columns;
    const live = isOfLiveRows && deletedAt !== undefined ? [isNull(deletedAt)] : [];
    const remove = store.db.delete(table).where(and(ne(keyColumn(key), valueOf(entity.key)), ...same, ...live));
    return { group, isOfLiveRows, remove: prepareFor(store, table, remove.toSQL()) };
  });
  return (values) => {
    for (const { group, isOfLiveRows, remove } of removers) {
      // A deleted row holds no key.
      if (isOfLiveRows && values['deletedAt'] !== null) continue;
      if (group.every((name) => values[name] !== null)) remove(values);
    }
  };
}
