/** Takes the server's rows as the truth and puts what still waits in the outbox on top. */
import type { Mutation, TableRows } from '@parley/contract';
import {
  entities,
  entityKeyByTable,
  type EntityKey,
  type Field,
  mergePronunciationWords,
  PronunciationWords,
  wireSchema,
} from '@parley/domain';
import { and, asc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Logger } from '../logger.ts';
import {
  keyColumn,
  noteWritten,
  outbox,
  prepareFor,
  prepareUpsert,
  type Store,
  type StoredKey,
  tables,
  valueOf,
} from '../store/index.ts';

type Values = Record<string, unknown>;

/** A row that was taken in: its table and id, and the version at which the server holds it. */
export interface AppliedRow {
  key: StoredKey;
  rowId: string;
  version: number;
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

  function applyRow(key: StoredKey, values: Values, hasWaiting: boolean): AppliedRow {
    const entity = entities[key];
    const rowId = String(values[entity.key]);
    const { upsert, removeRivals } = statementsOf(key);
    const truth = hasWaiting ? withWaitingChanges(store, key, { rowId, values }) : values;
    removeRivals(truth);
    upsert(truth);
    return { key, rowId, version: Number(values['syncVersion']) };
  }

  return {
    apply(pulled) {
      const hasWaiting = store.db.select({ position: outbox.position }).from(outbox).limit(1).get() !== undefined;
      return pulled.flatMap(({ table, fields, rows }) => {
        const key = entityKeyByTable.get(table);
        // A newer server may send tables and fields that this version does not know: it lives without them.
        if (!isStored(key) || rows.length === 0) return [];
        store.touch(table);
        const decode = statementsOf(key).decoder(fields);
        let writtenMs = 0;
        const applied = rows.flatMap((row) => {
          const values = decode(row);
          if (values !== null) {
            if (values['updatedAt'] instanceof Date) writtenMs = Math.max(writtenMs, values['updatedAt'].getTime());
            return [applyRow(key, values, hasWaiting)];
          }
          logger.error({ table }, 'a pulled row cannot be read');
          return [];
        });
        // Nobody edits the catalogue here.
        if (entities[key].owner !== 'catalogue') noteWritten(store, new Date(writtenMs));
        return applied;
      });
    },
  };
}

const isStored = (key: EntityKey | undefined): key is StoredKey => key !== undefined && key in tables;

type Decode = (row: readonly unknown[]) => Values | null;

/** Null for a row of which a field that we know cannot be read, or is missing. */
function decoderFor(key: StoredKey): TableStatements['decoder'] {
  // Names that we do not know never come so far: to look for them again in every row would take as long as reading it.
  const schema = wireSchema(entities[key]).strip();
  return (fields) => {
    const known = fields.flatMap((name, index) => (Object.hasOwn(schema.shape, name) ? [{ name, index }] : []));
    return (row) => {
      const named: Values = {};
      for (const { name, index } of known) named[name] = row[index];
      const parsed = schema.safeParse(named);
      return parsed.success ? parsed.data : null;
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
    .map(([name]) => [name]);
  const groups = [...single, ...entity.uniqueTogether].map((group) => {
    const same = group.flatMap((name) => {
      const column = columns[name];
      return column === undefined ? [] : [eq(column, valueOf(name))];
    });
    const remove = store.db.delete(table).where(and(ne(keyColumn(key), valueOf(entity.key)), ...same));
    return { group, remove: prepareFor(store, table, remove.toSQL()) };
  });
  return (values) => {
    for (const { group, remove } of groups) if (group.every((name) => values[name] !== null)) remove(values);
  };
}

/** A row with this device's unsent edits on top. */
export function withWaitingChanges(store: Store, key: StoredKey, row: { rowId: string; values: Values }): Values {
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
      const parsed = field.safeParse(value);
      // Read out of a damaged file, or made by another version: the server says what is wrong with it.
      if (!parsed.success) return [];
      const decoded = parsed.data;
      if (key === 'pronunciationImprovementSummary' && name === 'words')
        return [
          [name, mergePronunciationWords(PronunciationWords.parse(onto['words']), PronunciationWords.parse(decoded))],
        ];
      return [[name, decoded]];
    }),
  );
}
