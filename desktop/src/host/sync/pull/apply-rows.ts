/** Stores the server's rows and reapplies the unsent changes on top. */
import type { Mutation, TableRows } from '@parley/contract';
import {
  initialClocks,
  entities,
  entityKeyByTable,
  type EntityKey,
  type Field,
  FieldClocks,
  formatHybridTime,
  isProjection,
  mergeCopies,
  haveSameValues,
  quickParser,
  type Row,
  wireDecoder,
  wireSchema,
  type WordAttempt,
} from '@parley/domain';
import { and, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { z } from 'zod';
import type { Logger } from '../../logger.ts';
import {
  isLogged,
  keyColumn,
  LEARNER_KEYS,
  type LearnerKey,
  outbox,
  prepareRowStatement,
  prepareUpsert,
  readSyncState,
  carryCountsIntoLog,
  updateConversations,
  updateWords,
  type Store,
  type StoredKey,
  tables,
  valuePlaceholder,
} from '../../store/index.ts';
import { clocksOf, type Values, overlayUnsentChanges } from './overlay-unsent-changes.ts';
import { deleteUnreadable, storeUnreadable, countUnreadable } from './unreadable-rows.ts';
import { removeWordsOfDeletedSessions } from './words-of-deleted-sessions.ts';

/** A stored row with the server's version of it. */
export interface AppliedRow {
  key: StoredKey;
  rowId: string;
  version: number;
  /** Whether this device has newer fields than the server, whose database was restored. */
  isNewerHere: boolean;
}

export interface RowWriter {
  /**
   * Call this inside a transaction of the store. With `leavesWords`, the caller computes the words after it has stored
   * all rows.
   */
  apply: (tables: readonly TableRows[], options?: { leavesWords: boolean }) => AppliedRow[];
}

/** Prepares statements once per table, because a first sync writes thousands of rows. */
export function createRowWriter({ store, logger }: { store: Store; logger: Logger }): RowWriter {
  const statements = new Map<StoredKey, TableStatements>();
  const statementsOf = (key: StoredKey): TableStatements => {
    const known = statements.get(key) ?? prepareStatements(store, key);
    statements.set(key, known);
    return known;
  };

  function applyRow(key: StoredKey, values: Values, state: BatchState): AppliedRow {
    const rowId = String(values[entities[key].key]);
    const { upsert, removeConflicting } = statementsOf(key);
    const own = state.isNewEpoch && isLearnerKey(key) ? mergeLocalRow(store, key, { rowId, values }) : null;
    const server = own ?? keepWithdrawnContent(store, key, { rowId, values });
    const resolved = state.hasWaiting ? overlayUnsentChanges(store, key, { rowId, values: server }) : server;
    removeConflicting(resolved);
    upsert(resolved);
    if (state.hasUnread) deleteUnreadable(store, key, rowId);
    return { key, rowId, version: Number(values['syncVersion']), isNewerHere: own !== null };
  }

  return {
    apply(pulled, { leavesWords } = { leavesWords: false }) {
      const state = batchState(store);
      const sessions = new Set<string>();
      const words = new Set<string>();
      const days = new Set<string>();
      const newAttempts: WordAttempt[] = [];
      const living: Row<'wordAttempts'>[] = [];
      let hasOtherAttempts = false;
      let hasList = false;
      const applied = pulled.flatMap(({ table, fields, rows }) => {
        const key = entityKeyByTable.get(table);
        // Tables and fields of a newer server are skipped and pulled again after an upgrade.
        if (!isStored(key) || rows.length === 0) return [];
        store.markChanged(table);
        const decode = statementsOf(key).decoder(fields);
        return rows.map((row): AppliedRow => {
          const values = decode(row);
          if (values === null) {
            logger.error({ table }, 'unreadable_row_kept');
            const raw = Object.fromEntries(fields.map((name, index) => [name, row[index]])) as Mutation['fields'];
            return { key, ...storeUnreadable(store, key, raw), isNewerHere: false };
          }
          if (key === 'practiceHistory') sessions.add(String(values['id']));
          if (key === 'aiConversations' && typeof values['sessionId'] === 'string') sessions.add(values['sessionId']);
          if (key === 'wordAttempts') {
            words.add(String(values['word']));
            days.add(String(values['day']));
            const attempt = values as Row<'wordAttempts'>;
            if (attempt.deletedAt === null) living.push(attempt);
            // A waiting change may delete the row at once.
            const isNew = !state.hasWaiting && attempt.deletedAt === null && !isLogged(store, attempt.id);
            if (!leavesWords && isNew) newAttempts.push(attempt);
            else hasOtherAttempts = true;
          }
          hasList ||= key === 'pronunciationImprovementSummary';
          return applyRow(key, values, state);
        });
      });
      updateConversations(store, sessions);
      const hasDeleted = removeWordsOfDeletedSessions(store, living);
      if (words.size > 0 && !leavesWords)
        updateWords(store, { words, days, ...(hasOtherAttempts || hasDeleted ? {} : { added: newAttempts }) });
      // App versions without the log count attempts in the list.
      if (hasList) carryCountsIntoLog(store);
      return applied;
    },
  };
}

interface BatchState {
  hasWaiting: boolean;
  hasUnread: boolean;
  /** The server's database was restored, so its rows may be older than local ones. */
  isNewEpoch: boolean;
}

const batchState = (store: Store): BatchState => ({
  hasWaiting:
    store.db.select({ position: outbox.position }).from(outbox).where(isNull(outbox.parkedFor)).limit(1).get() !==
    undefined,
  hasUnread: countUnreadable(store) > 0,
  isNewEpoch: readSyncState(store).resync === 'epoch',
});

const isStored = (key: EntityKey | undefined): key is StoredKey => key !== undefined && key in tables;
const isLearnerKey = (key: StoredKey): key is LearnerKey => LEARNER_KEYS.some((learners) => learners === key);

/** Merges the local row into the server's. Returns null if the server has all of it. */
function mergeLocalRow(
  store: Store,
  key: LearnerKey,
  { rowId, values }: { rowId: string; values: Values },
): Values | null {
  const own: Values | undefined = store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(keyColumn(key), rowId))
    .get();
  if (own === undefined) return null;
  const clocks = clocksOf(own);
  const server = { values, clocks: hasSingleClock(clocks) ? clocksOrUpdateTime(store, values) : clocksOf(values) };
  const merged = mergeCopies(key, server, { values: own, clocks });
  const isDeletedThere = values['deletedAt'] !== null;
  if (merged.isDeleted === isDeletedThere && haveSameValues(fieldNames(key), merged.values, values)) return null;
  const deletedAt = merged.isDeleted ? (values['deletedAt'] ?? own['deletedAt']) : null;
  return { ...merged.values, fieldClocks: merged.clocks, deletedAt };
}

/**
 * The server sends hardly any fields of withdrawn content. This device keeps its own values, so that a learner in the
 * middle of a practice can finish.
 */
function keepWithdrawnContent(
  store: Store,
  key: StoredKey,
  { rowId, values }: { rowId: string; values: Values },
): Values {
  if (entities[key].owner !== 'catalogue' || values['deletedAt'] === null) return values;
  const { deletedAt, updatedAt, syncVersion } = values;
  const own: Values | undefined = store.db
    .select()
    .from(tables[key] as SQLiteTable)
    .where(eq(keyColumn(key), rowId))
    .get();
  return own === undefined ? values : { ...own, deletedAt, updatedAt, syncVersion };
}

const hasSingleClock = (clocks: FieldClocks): boolean => Object.keys(clocks).join() === '*';

/**
 * A row without field times counts as written completely when it was last updated; no protocol 3 device has written it.
 */
export function clocksOrUpdateTime(store: Store, values: Values): FieldClocks {
  const clocks = clocksOf(values);
  const { updatedAt } = values;
  if (Object.keys(clocks).length > 0 || !(updatedAt instanceof Date)) return clocks;
  const { deviceId } = store.identity();
  return initialClocks(formatHybridTime({ ms: updatedAt.getTime(), counter: 0, deviceId }));
}

const fieldNames = (key: LearnerKey): string[] =>
  Object.keys(entities[key].fields).filter(
    (name) => !isProjection(entities[key], name) && !['updatedAt', 'syncVersion', 'deletedAt'].includes(name),
  );

type Decode = (row: readonly unknown[]) => Values | null;

/**
 * The server has already limited the size of JSON values, and measuring it again would take as long as the other
 * checks.
 */
function schemaWithoutSize({ shape }: Field): z.ZodType | null {
  // Keys that a newer version added are kept.
  return shape === null ? null : z.custom((value) => shape.safeParse(value).success);
}

/** Returns null for a row in which a known field is missing or unreadable. */
function decoderFor(key: StoredKey): TableStatements['decoder'] {
  const entity = entities[key];
  const decoders = new Map(
    Object.entries(wireSchema(entity).shape).flatMap(([name, wire]) => {
      const field = (entity.fields as Record<string, Field>)[name];
      if (field === undefined || isProjection(entity, name)) return [];
      return [[name, wireDecoder(field, schemaWithoutSize(field) ?? wire)] as const];
    }),
  );
  return (fields) => {
    // A field that was not sent is undefined, which no decoder accepts.
    const known = [...decoders].map(([name, decode]) => ({ name, decode, index: fields.indexOf(name) }));
    const clocksAt = fields.indexOf('fieldClocks');
    return (row) => {
      const values: Values = {};
      for (const { name, decode, index } of known) {
        const value = decode(row[index]);
        if (value === undefined) return null;
        values[name] = value;
      }
      if (clocksAt === -1) return values;
      values['fieldClocks'] = parseClocks(row[clocksAt]) ?? {};
      return values;
    };
  };
}

const parseClocks = quickParser(FieldClocks);

interface TableStatements {
  /** Returns a decoder for rows with this field order. */
  decoder: (fields: readonly string[]) => Decode;
  upsert: (values: Values) => void;
  /** Deletes a local row whose unique key the server has given to another row. */
  removeConflicting: (values: Values) => void;
}

function prepareStatements(store: Store, key: StoredKey): TableStatements {
  return {
    decoder: decoderFor(key),
    // A row that is newer here arrived another way and stays. Catalogue rows may revert to an older version.
    upsert: prepareUpsert(store, key, ({ syncVersion }) =>
      entities[key].owner === 'catalogue' || syncVersion === undefined
        ? undefined
        : sql`excluded.${sql.identifier(syncVersion.name)} >= ${syncVersion}`,
    ),
    removeConflicting: prepareConflictRemoval(store, key),
  };
}

function prepareConflictRemoval(store: Store, key: StoredKey): TableStatements['removeConflicting'] {
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
      return column === undefined ? [] : [eq(column, valuePlaceholder(name))];
    });
    const { deletedAt } = columns;
    const live = isOfLiveRows && deletedAt !== undefined ? [isNull(deletedAt)] : [];
    const remove = store.db
      .delete(table)
      .where(and(ne(keyColumn(key), valuePlaceholder(entity.key)), ...same, ...live));
    return { group, isOfLiveRows, remove: prepareRowStatement(store, table, remove.toSQL()) };
  });
  return (values) => {
    for (const { group, isOfLiveRows, remove } of removers) {
      // A deleted row does not reserve its unique key.
      if (isOfLiveRows && values['deletedAt'] !== null) continue;
      if (group.every((name) => values[name] !== null)) remove(values);
    }
  };
}
