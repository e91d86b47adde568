/** Rows as they travel, made by the database itself: it writes their JSON, and no row becomes an object on its way out. */
import type { TableRows } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, type Field, isProjection, isSynced } from '@parley/domain';
import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import type { SpokenProtocol } from './protocol-version.ts';

/** A learner's rows, or the catalogue's for null. */
export type Owner = string | null;

/** Whose rows, for a device of which protocol. */
export interface Reader {
  owner: Owner;
  protocol: SpokenProtocol;
}

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

/** What protocol 3 added to turns; to older devices a turn's place and assessment come with its session's conversation. */
const NEW_IN_3: ReadonlySet<string> = new Set([
  'sessionId',
  'previousTurnId',
  'saidAt',
  'node',
  'kind',
  'mode',
  'fitted',
  'recordingId',
  'hintLevel',
  'assessment',
]);

/** Protocol 3 sends nothing that its readers compute for themselves. */
const travels = (key: EntityKey, name: string, protocol: SpokenProtocol): boolean =>
  protocol === 3 ? !isProjection(entities[key], name) : key !== 'aiConversations' || !NEW_IN_3.has(name);

const fieldsOf = (key: EntityKey, protocol: SpokenProtocol): [string, Field][] =>
  Object.entries(entities[key].fields as Record<string, Field>).filter(([name]) => travels(key, name, protocol));

/** The times of its fields are part of a learner's row. */
const hasClocks = (key: EntityKey, protocol: SpokenProtocol): boolean =>
  protocol === 3 && entities[key].owner === 'learner';

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
type WriteColumns = (key: EntityKey, protocol: SpokenProtocol) => SQL;

function writtenOnce(write: WriteColumns): WriteColumns {
  const written = new Map<string, SQL>();
  return (key, protocol) => {
    const name = `${key} ${protocol}`;
    const known = written.get(name) ?? sql.raw(dialect.sqlToQuery(write(key, protocol)).sql);
    written.set(name, known);
    return known;
  };
}

const wireValues = writtenOnce((key, protocol) =>
  sql.join(
    [
      ...fieldsOf(key, protocol).map(([name, field]) => {
        const column = columnOf(key, name);
        return field.kind === 'time' ? isoTime(column) : sql`${column}`;
      }),
      ...(hasClocks(key, protocol) ? [sql`${columnOf(key, 'fieldClocks')}`] : []),
    ],
    sql`, `,
  ),
);

export const ownedBy = (key: EntityKey, owner: Owner): SQL =>
  owner === null ? sql`true` : sql`${columnOf(key, 'userId')} = ${owner}`;

const Part = z.object({ key: z.enum(ENTITY_KEYS), count: z.number(), json: z.string() });

function partOf(
  key: EntityKey,
  { condition, order, protocol }: { condition: SQL; order: SQL; protocol: SpokenProtocol },
): SQL {
  return sql`select ${key}::text as key, count(*)::int as count,
    '[' || coalesce(string_agg(json_build_array(${wireValues(key, protocol)})::text, ',' order by ${order}), '') || ']' as json
    from ${tables[key]} where ${condition}`;
}

const inRange = (key: EntityKey, owner: Owner, { from, to }: VersionRange): SQL =>
  sql`${ownedBy(key, owner)} and ${columnOf(key, 'syncVersion')} between ${from} and ${to}`;

/** Parents before the rows that refer to them. */
export async function readRange(tx: Database, { owner, protocol }: Reader, range: VersionRange): Promise<TablePart[]> {
  const parts = keysOf(owner).map((key) => {
    const version = columnOf(key, 'syncVersion');
    return partOf(key, {
      condition: inRange(key, owner, range),
      order: range.newestFirst ? sql`${version} desc` : sql`${version}`,
      protocol,
    });
  });
  return readParts(tx, parts);
}

/** Those of these rows that are the owner's. */
export async function readRows(
  tx: Database,
  { owner, protocol }: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<TablePart[]> {
  const parts = [...idsByKey].map(([key, ids]) => {
    const condition = sql`${ownedBy(key, owner)} and ${inArray(columnOf(key, entities[key].key), [...ids])}`;
    return partOf(key, { condition, order: sql`${columnOf(key, 'syncVersion')}`, protocol });
  });
  return parts.length === 0 ? [] : readParts(tx, parts);
}

/** What these rows would take, told without reading them. */
export async function bytesOfRows(
  tx: Database,
  { owner, protocol }: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<number> {
  let bytes = 0;
  for (const [key, ids] of idsByKey) {
    const { rows } = (await tx.execute(
      sql`select ${columnOf(key, entities[key].key)} as id, ${wireBytes(key, protocol)} as bytes from ${tables[key]}
        where ${ownedBy(key, owner)} and ${inArray(columnOf(key, entities[key].key), [...ids])}`,
    )) as { rows: unknown[] };
    for (const row of z.array(Size).parse(rows)) bytes += row.bytes;
  }
  return bytes;
}

async function readParts(tx: Database, parts: readonly SQL[]): Promise<TablePart[]> {
  const { rows } = (await tx.execute(sql.join([...parts], sql` union all `))) as { rows: unknown[] };
  return z
    .array(Part)
    .parse(rows)
    .filter(({ count }) => count > 0);
}

export const fieldNames = (key: EntityKey, protocol: SpokenProtocol): string[] => [
  ...fieldsOf(key, protocol).map(([name]) => name),
  ...(hasClocks(key, protocol) ? ['fieldClocks'] : []),
];

/** The parts as the JSON text of `TableRows[]`. */
export const tablesJson = (parts: readonly TablePart[], protocol: SpokenProtocol): string =>
  `[${parts
    .map(
      ({ key, json }) =>
        `{"table":${JSON.stringify(entities[key].name)},"fields":${JSON.stringify(fieldNames(key, protocol))},"rows":${json}}`,
    )
    .join(',')}]`;

/** The parts as values, for answers that hold more than rows. */
export const tableRows = (parts: readonly TablePart[], protocol: SpokenProtocol): TableRows[] =>
  parts.map(({ key, json }) => ({
    table: entities[key].name,
    fields: fieldNames(key, protocol),
    rows: JSON.parse(json) as unknown[][],
  }));

/** What ids, times, numbers and punctuation of a row take at most, about. */
const ROW_FRAME_BYTES = 400;

/** What each row takes as it travels, as the database counted it when the row was written: nothing is read for it. */
export const wireBytes: WriteColumns = writtenOnce((key, protocol) => {
  const counted =
    protocol === 2 && 'projectedBytes' in getTableColumns(tables[key])
      ? ['wireBytes', 'projectedBytes']
      : ['wireBytes'];
  return sql`${sql.join(
    counted.map((name) => sql`${columnOf(key, name)}`),
    sql` + `,
  )} + ${sql.raw(String(ROW_FRAME_BYTES))}`;
});

export const versionColumn = (key: EntityKey): SQL => sql`${columnOf(key, 'syncVersion')}`;

const Size = z.object({ id: z.string(), bytes: z.coerce.number() });

/** Some rows of one version, to be read when their turn comes. */
export interface RowPortion {
  key: EntityKey;
  ids: string[];
}

/** What is larger than a page may be, in portions of rows that are not, unless one row alone is. */
export async function planPortions(
  tx: Database,
  { owner, protocol }: Reader,
  { range, bytes: limit }: { range: VersionRange; bytes: number },
): Promise<RowPortion[]> {
  const portions: RowPortion[] = [];
  for (const key of keysOf(owner)) {
    const { rows } = (await tx.execute(
      sql`select ${columnOf(key, entities[key].key)} as id, ${wireBytes(key, protocol)} as bytes from ${tables[key]}
        where ${inRange(key, owner, range)}`,
    )) as { rows: unknown[] };
    let ids: string[] = [];
    let bytes = 0;
    for (const row of z.array(Size).parse(rows)) {
      if (ids.length > 0 && bytes + row.bytes > limit) {
        portions.push({ key, ids });
        [ids, bytes] = [[], 0];
      }
      ids.push(row.id);
      bytes += row.bytes;
    }
    if (ids.length > 0) portions.push({ key, ids });
  }
  return portions;
}

/** Those of a portion's rows that still have a version in the range; the others come with their new one. */
export async function readPortion(
  tx: Database,
  { owner, protocol }: Reader,
  { key, ids, range }: RowPortion & { range: VersionRange },
): Promise<TablePart[]> {
  const condition = sql`${inRange(key, owner, range)} and ${inArray(columnOf(key, entities[key].key), ids)}`;
  return readParts(tx, [partOf(key, { condition, order: sql`${columnOf(key, 'syncVersion')}`, protocol })]);
}
