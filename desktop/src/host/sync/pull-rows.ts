/** Takes the server's rows as the truth, a page a transaction, and puts what still waits in the outbox on top. */
import { MAX_ROWS_PER_PAGE, type Mutation, type PulledRow, type PullResponse, SYNC_PROTOCOL } from '@parley/contract';
import {
  entities,
  entityKeyByTable,
  type EntityKey,
  type Field,
  mergePronunciationWords,
  PronunciationWords,
  wireSchema,
} from '@parley/domain';
import { and, asc, eq, getTableColumns, ne } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Logger } from '../logger.ts';
import {
  isForeignKeyFailure,
  keyColumn,
  outbox,
  type Store,
  type StoredKey,
  syncState,
  tables,
} from '../store/index.ts';
import type { ServerClient } from './server-client.ts';

type Values = Record<string, unknown>;

/** Fetches one page; whose rows they are, and whether more wait. */
export async function pullPage(
  { store, logger }: { store: Store; logger: Logger },
  client: ServerClient,
): Promise<Pick<PullResponse, 'more' | 'userId'>> {
  const state = store.db.select().from(syncState).get();
  if (state === undefined) throw new Error('the device has no identity yet');
  const page = await client.sync.pull({
    protocol: SYNC_PROTOCOL,
    deviceId: store.identity().deviceId,
    cursors: { user: state.userCursor, catalogue: state.catalogueCursor },
    limit: MAX_ROWS_PER_PAGE,
  });
  // Another account's rows would be lost among ours: the caller moves to that account first.
  if (page.userId === state.userId) storePage({ store, logger }, page);
  return page;
}

function storePage({ store, logger }: { store: Store; logger: Logger }, page: PullResponse): void {
  const apply = (): void =>
    store.transaction(() => {
      store.sqlite.pragma('defer_foreign_keys = ON');
      for (const row of page.rows) applyRow({ store, logger }, row);
      store.db.update(syncState).set({ userCursor: page.next.user, catalogueCursor: page.next.catalogue }).run();
    });
  try {
    apply();
  } catch (error) {
    if (!isForeignKeyFailure(error)) throw error;
    // A row may come before the one that it hangs on; it is kept, and complete with a later page.
    logger.warn({ rows: page.rows.length }, 'a page refers to rows that are still to come');
    store.sqlite.pragma('foreign_keys = OFF');
    try {
      apply();
    } finally {
      store.sqlite.pragma('foreign_keys = ON');
    }
  }
}

const isStored = (key: EntityKey | undefined): key is StoredKey => key !== undefined && key in tables;

function applyRow({ store, logger }: { store: Store; logger: Logger }, pulled: PulledRow): void {
  const key = entityKeyByTable.get(pulled.table);
  // A newer server may send tables and columns that this version does not know: it lives without them.
  if (!isStored(key)) return;
  const entity = entities[key];
  const values = decodeFields(key, pulled.fields);
  if (values === null) {
    logger.error({ table: pulled.table }, 'a pulled row cannot be read');
    return;
  }
  const rowId = String(values[entity.key]);
  const truth = withWaitingChanges(store, key, { rowId, values });
  removeRivals(store, key, { rowId, values: truth });
  const { [entity.key]: _, ...changes } = truth;
  const table: SQLiteTable = tables[key];
  store.db
    .insert(table)
    .values(truth)
    .onConflictDoUpdate({ target: keyColumn(key), set: changes })
    .run();
  store.touch(entity.name);
}

/** Null when a field that we know cannot be read, or is missing. */
function decodeFields(key: StoredKey, fields: Mutation['fields']): Values | null {
  const schema = wireSchema(entities[key]);
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => name in schema.shape));
  const parsed = schema.safeParse(known);
  return parsed.success ? parsed.data : null;
}

/** The server's row with this device's unsent edits on top. */
function withWaitingChanges(store: Store, key: StoredKey, row: { rowId: string; values: Values }): Values {
  const waiting = store.db
    .select({ op: outbox.op, fields: outbox.fields })
    .from(outbox)
    .where(and(eq(outbox.tableName, entities[key].name), eq(outbox.rowId, row.rowId)))
    .orderBy(asc(outbox.position))
    .all();
  return waiting.reduce<Values>(
    (values, change) =>
      change.op === 'delete'
        ? { ...values, deletedAt: store.clock.now() }
        : { ...values, ...decodePartial(key, change.fields, values) },
    row.values,
  );
}

function decodePartial(key: StoredKey, fields: Mutation['fields'], onto: Values): Values {
  const schema = wireSchema(entities[key]);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const field = schema.shape[name];
      if (field === undefined) return [];
      const decoded = field.parse(value);
      if (key === 'pronunciationImprovementSummary' && name === 'words')
        return [
          [name, mergePronunciationWords(PronunciationWords.parse(onto['words']), PronunciationWords.parse(decoded))],
        ];
      return [[name, decoded]];
    }),
  );
}

/** A row of ours that claims what the server gave to another one: the server's stays. */
function removeRivals(store: Store, key: StoredKey, row: { rowId: string; values: Values }): void {
  const entity = entities[key];
  if (entity.owner === 'catalogue') return;
  const table: SQLiteTable = tables[key];
  const columns = getTableColumns(tables[key]) as Record<string, AnySQLiteColumn>;
  const single = Object.entries(entity.fields as Record<string, Field>)
    .filter(([name, field]) => field.unique && name !== entity.key)
    .map(([name]) => [name]);
  for (const group of [...single, ...entity.uniqueTogether]) {
    const same = group.map((name) => {
      const column = columns[name];
      return column === undefined || row.values[name] === null ? null : eq(column, row.values[name]);
    });
    if (same.some((condition) => condition === null)) continue;
    store.db
      .delete(table)
      .where(and(ne(keyColumn(key), row.rowId), ...same.filter((condition) => condition !== null)))
      .run();
  }
}
