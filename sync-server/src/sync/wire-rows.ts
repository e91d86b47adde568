/** Rows as they travel, made by the database itself: it writes their JSON, and no row becomes an object on its way out. */
import type { TableRows } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, type Field, isSynced } from '@parley/domain';
import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

/** A learner's rows, or the catalogue's for null. */
export type Owner = string | null;

/** A stretch of versions, both ends counted, in the order in which a device wants them. */
export interface VersionRange {
  from: number;
  to: number;
  newestFirst: boolean;
}

/** One table's part of a page: JSON text, ready to be sent. */
export interface TablePart {
  key: EntityKey;
  count: number;
  json: string;
}

export const keysOf = (owner: Owner): EntityKey[] =>
  ENTITY_KEYS.filter((key) => isSynced(key) && (entities[key].owner === 'catalogue') === (owner === null));

const fieldsOf = (key: EntityKey): [string, Field][] => Object.entries(entities[key].fields as Record<string, Field>);

function columnOf(key: EntityKey, name: string): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[name];
  if (column === undefined) throw new Error(`${key} has no column ${name}`);
  return column;
}

/** ISO 8601 to the millisecond, as `Date.toISOString` has it. */
const isoTime = (column: AnyPgColumn): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const dialect = new PgDialect();

/** A list of columns is written out once and not for every page: it is the longest part of a query, and always the same. */
function writtenOnce(write: (key: EntityKey) => SQL): (key: EntityKey) => SQL {
  const written = new Map<EntityKey, SQL>();
  return (key) => {
    const known = written.get(key) ?? sql.raw(dialect.sqlToQuery(write(key)).sql);
    written.set(key, known);
    return known;
  };
}

const wireValues = writtenOnce((key) =>
  sql.join(
    fieldsOf(key).map(([name, field]) => {
      const column = columnOf(key, name);
      return field.kind === 'time' ? isoTime(column) : sql`${column}`;
    }),
    sql`, `,
  ),
);

export const ownedBy = (key: EntityKey, owner: Owner): SQL =>
  owner === null ? sql`true` : sql`${columnOf(key, 'userId')} = ${owner}`;

const Part = z.object({ key: z.enum(ENTITY_KEYS), count: z.number(), json: z.string() });

function partOf(key: EntityKey, condition: SQL, order: SQL): SQL {
  return sql`select ${key}::text as key, count(*)::int as count,
    '[' || coalesce(string_agg(json_build_array(${wireValues(key)})::text, ',' order by ${order}), '') || ']' as json
    from ${tables[key]} where ${condition}`;
}

/** Parents before the rows that refer to them. */
export async function readRange(tx: Database, owner: Owner, range: VersionRange): Promise<TablePart[]> {
  const parts = keysOf(owner).map((key) => {
    const version = columnOf(key, 'syncVersion');
    const condition = sql`${ownedBy(key, owner)} and ${version} between ${range.from} and ${range.to}`;
    return partOf(key, condition, range.newestFirst ? sql`${version} desc` : sql`${version}`);
  });
  return readParts(tx, parts);
}

/** Those of these rows that are the owner's. */
export async function readRows(
  tx: Database,
  owner: Owner,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<TablePart[]> {
  const parts = [...idsByKey].map(([key, ids]) => {
    const condition = sql`${ownedBy(key, owner)} and ${inArray(columnOf(key, entities[key].key), [...ids])}`;
    return partOf(key, condition, sql`${columnOf(key, 'syncVersion')}`);
  });
  return parts.length === 0 ? [] : readParts(tx, parts);
}

async function readParts(tx: Database, parts: readonly SQL[]): Promise<TablePart[]> {
  const { rows } = (await tx.execute(sql.join([...parts], sql` union all `))) as { rows: unknown[] };
  return z
    .array(Part)
    .parse(rows)
    .filter(({ count }) => count > 0);
}

export const fieldNames = (key: EntityKey): string[] => fieldsOf(key).map(([name]) => name);

/** The parts as the JSON text of `TableRows[]`. */
export const tablesJson = (parts: readonly TablePart[]): string =>
  `[${parts
    .map(
      ({ key, json }) =>
        `{"table":${JSON.stringify(entities[key].name)},"fields":${JSON.stringify(fieldNames(key))},"rows":${json}}`,
    )
    .join(',')}]`;

/** The parts as values, for answers that hold more than rows. */
export const tableRows = (parts: readonly TablePart[]): TableRows[] =>
  parts.map(({ key, json }) => ({
    table: entities[key].name,
    fields: fieldNames(key),
    rows: JSON.parse(json) as unknown[][],
  }));

/** What one value of each JSON column takes where it lies: cheap to ask, and near enough to keep a page within bounds. */
export const storedBytes: (key: EntityKey) => SQL = writtenOnce((key) => {
  const sizes = fieldsOf(key)
    .filter(([, { kind }]) => kind === 'json' || kind === 'text')
    .map(([name]) => sql`coalesce(pg_column_size(${columnOf(key, name)}), 0)`);
  return sizes.length === 0 ? sql`0` : sql.join(sizes, sql` + `);
});

export const versionColumn = (key: EntityKey): SQL => sql`${columnOf(key, 'syncVersion')}`;

const Size = z.object({ id: z.string(), bytes: z.coerce.number() });

/** What is larger than a page may be, in portions of rows that are not, unless one row alone is. */
export async function* readPortions(
  tx: Database,
  owner: Owner,
  { range, storedBytes: limit }: { range: VersionRange; storedBytes: number },
): AsyncGenerator<TablePart[]> {
  for (const key of keysOf(owner)) {
    const condition = sql`${ownedBy(key, owner)} and ${versionColumn(key)} between ${range.from} and ${range.to}`;
    const { rows } = (await tx.execute(
      sql`select ${columnOf(key, entities[key].key)} as id, ${storedBytes(key)} as bytes from ${tables[key]} where ${condition}`,
    )) as { rows: unknown[] };
    let ids: string[] = [];
    let bytes = 0;
    for (const row of z.array(Size).parse(rows)) {
      if (ids.length > 0 && bytes + row.bytes > limit) {
        yield await readRows(tx, owner, new Map([[key, ids]]));
        [ids, bytes] = [[], 0];
      }
      ids.push(row.id);
      bytes += row.bytes;
    }
    if (ids.length > 0) yield readRows(tx, owner, new Map([[key, ids]]));
  }
}
