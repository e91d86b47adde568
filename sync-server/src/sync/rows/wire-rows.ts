/** Lets the database write rows as JSON for sync, so that no row becomes an object on its way out. */
import type { SessionTurns, TableRows } from '@parley/contract';
import { ENTITY_KEYS, entities, type EntityKey, type Field, isProjection, isSynced } from '@parley/domain';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import type { SpokenProtocol } from '../protocol-version.ts';

/** A learner's id, or null for the catalogue. */
export type Owner = string | null;

/** The owner of the rows and the reader's protocol. */
export interface Reader {
  owner: Owner;
  protocol: SpokenProtocol;
  /** Whether the reader requests the turns of sessions separately. */
  leavesOutTurns?: boolean;
}

/** A range of versions, inclusive, in the order in which a device wants them. */
export interface VersionRange {
  from: number;
  to: number;
  newestFirst: boolean;
}

/** One table's part of a page, as JSON text that is ready to send. */
export interface TablePart {
  key: EntityKey;
  count: number;
  json: string;
}

export const keysOf = (owner: Owner): EntityKey[] =>
  ENTITY_KEYS.filter((key) => isSynced(key) && (entities[key].owner === 'catalogue') === (owner === null));

/** Fields that protocol 3 added to turns; older devices get them within the session's conversation. */
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

/** Protocol 3 sends no field that its readers compute themselves. */
const isSentToDevices = (key: EntityKey, name: string, protocol: SpokenProtocol): boolean =>
  protocol === 3 ? !isProjection(entities[key], name) : key !== 'aiConversations' || !NEW_IN_3.has(name);

const fieldsOf = (key: EntityKey, protocol: SpokenProtocol): [string, Field][] =>
  Object.entries(entities[key].fields as Record<string, Field>).filter(([name]) =>
    isSentToDevices(key, name, protocol),
  );

/** A learner's row includes the times of its fields. */
const hasClocks = (key: EntityKey, protocol: SpokenProtocol): boolean =>
  protocol === 3 && entities[key].owner === 'learner';

export function columnOf(key: EntityKey, name: string): AnyPgColumn {
  const column = (getTableColumns(tables[key]) as Record<string, AnyPgColumn>)[name];
  if (column === undefined) throw new Error(`${key} has no column ${name}`);
  return column;
}

/** Formats ISO 8601 with milliseconds, like `Date.toISOString`. */
const isoTime = (column: AnyPgColumn): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const dialect = new PgDialect();

/** The column list is the longest part of a query and never changes, so it is generated once. */
type WriteColumns = (key: EntityKey, protocol: SpokenProtocol) => SQL;

function memoizeColumns(write: WriteColumns): WriteColumns {
  const written = new Map<string, SQL>();
  return (key, protocol) => {
    const name = `${key} ${protocol}`;
    const known = written.get(name) ?? sql.raw(dialect.sqlToQuery(write(key, protocol)).sql);
    written.set(name, known);
    return known;
  };
}

const wireValues = memoizeColumns((key, protocol) =>
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
  owner === null ? isPublic(key) : sql`${columnOf(key, 'userId')} = ${owner}`;

export const isRead = (key: EntityKey, { owner, leavesOutTurns = false }: Reader): SQL =>
  leavesOutTurns && key === 'aiConversations'
    ? sql`${ownedBy(key, owner)} and ${columnOf(key, 'sessionId')} is null`
    : ownedBy(key, owner);

/**
 * Drafts are in a table that does not sync. This also holds back rows that were written into the catalogue by other
 * means.
 */
function isPublic(key: EntityKey): SQL {
  const { deletedAt } = getTableColumns(tables[key]);
  if (key === 'practices' || key === 'videos')
    return sql`(${columnOf(key, 'availability')} <> 'not_visible' or ${deletedAt} is not null)`;
  if (key === 'blogPosts') return sql`(${columnOf(key, 'publishedAt')} is not null or ${deletedAt} is not null)`;
  return sql`true`;
}

const Part = z.object({ key: z.enum(ENTITY_KEYS), count: z.number(), json: z.string() });

function partOf(
  key: EntityKey,
  { condition, order, protocol }: { condition: SQL; order: SQL; protocol: SpokenProtocol },
): SQL {
  return sql`select ${key}::text as key, count(*)::int as count,
    '[' || coalesce(string_agg(json_build_array(${wireValues(key, protocol)})::text, ',' order by ${order}), '') || ']' as json
    from ${tables[key]} where ${condition}`;
}

const inRange = (key: EntityKey, reader: Reader, { from, to }: Pick<VersionRange, 'from' | 'to'>): SQL =>
  sql`${isRead(key, reader)} and ${columnOf(key, 'syncVersion')} between ${from} and ${to}`;

/**
 * Reads all tables, or only those that are known to have rows in the range. Parents precede the rows that refer to
 * them.
 */
export async function readRange(
  tx: Database,
  reader: Reader,
  { keys = keysOf(reader.owner), ...range }: VersionRange & { keys?: readonly EntityKey[] },
): Promise<TablePart[]> {
  const { protocol } = reader;
  if (keys.length === 0) return [];
  const parts = keys.map((key) => {
    const version = columnOf(key, 'syncVersion');
    return partOf(key, {
      condition: inRange(key, reader, range),
      order: range.newestFirst ? sql`${version} desc` : sql`${version}`,
      protocol,
    });
  });
  return readParts(tx, parts);
}

/** Returns those of these rows that belong to the owner. */
export async function readRows(
  tx: Database,
  { owner, protocol }: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<TablePart[]> {
  const parts = [...idsByKey].map(([key, ids]) => {
    const condition = sql`${ownedBy(key, owner)} and ${isOneOf(columnOf(key, entities[key].key), ids)}`;
    return partOf(key, { condition, order: sql`${columnOf(key, 'syncVersion')}`, protocol });
  });
  return parts.length === 0 ? [] : readParts(tx, parts);
}

/** Sums the size of these rows without reading them. */
export async function bytesOfRows(
  tx: Database,
  { owner, protocol }: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<number> {
  let bytes = 0;
  for (const [key, ids] of idsByKey) {
    const { rows } = (await tx.execute(
      sql`select ${columnOf(key, entities[key].key)} as id, ${wireBytes(key, protocol)} as bytes from ${tables[key]}
        where ${ownedBy(key, owner)} and ${isOneOf(columnOf(key, entities[key].key), ids)}`,
    )) as { rows: unknown[] };
    for (const row of z.array(Size).parse(rows)) bytes += row.bytes;
  }
  return bytes;
}

const KeyAndSize = z.object({ key: z.enum(ENTITY_KEYS), id: z.string(), bytes: z.coerce.number() });

/** Returns the size of each of these rows, of any learner, without reading them. Rows that do not exist are absent. */
export async function rowSizes(
  tx: Database,
  idsByKey: ReadonlyMap<EntityKey, Iterable<string>>,
): Promise<z.infer<typeof KeyAndSize>[]> {
  const parts = [...idsByKey].map(([key, ids]): SQL => {
    const id = columnOf(key, entities[key].key);
    return sql`select ${key}::text as key, ${id}::text as id, ${wireBytes(key, 3)} as bytes from ${tables[key]} where ${isOneOf(id, ids)}`;
  });
  if (parts.length === 0) return [];
  const { rows } = (await tx.execute(sql.join(parts, sql` union all `))) as { rows: unknown[] };
  return z.array(KeyAndSize).parse(rows);
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

/** Formats the parts as the JSON text of `TableRows[]`. */
export const tablesJson = (parts: readonly TablePart[], protocol: SpokenProtocol): string =>
  `[${parts
    .map(
      ({ key, json }) =>
        `{"table":${JSON.stringify(entities[key].name)},"fields":${JSON.stringify(fieldNames(key, protocol))},"rows":${json}}`,
    )
    .join(',')}]`;

/** Returns the parts as values, for responses that contain more than rows. */
export const tableRows = (parts: readonly TablePart[], protocol: SpokenProtocol): TableRows[] =>
  parts.map(({ key, json }) => ({
    table: entities[key].name,
    fields: fieldNames(key, protocol),
    rows: JSON.parse(json) as unknown[][],
  }));

/** Formats rows that are in memory in the same way, for protocol 3. */
export function toTableRows(key: EntityKey, rows: readonly Readonly<Record<string, unknown>>[]): TableRows {
  const fields = fieldNames(key, 3);
  const toWire = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));
  return { table: entities[key].name, fields, rows: rows.map((row) => fields.map((name) => toWire(row[name]))) };
}

/** An upper estimate of a row's ids, times, numbers and punctuation. */
const ROW_FRAME_BYTES = 400;

/** A row's size in transit, as the database counted it when the row was written. */
export const wireBytes: WriteColumns = memoizeColumns((key, protocol) => {
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

/** Some rows of one version that are read later. */
export interface RowPortion {
  key: EntityKey;
  ids: string[];
}

/** Splits a version larger than a page into portions that fit, unless a single row is larger. */
export async function splitIntoPortions(
  tx: Database,
  reader: Reader,
  { range, bytes }: { range: VersionRange; bytes: number },
): Promise<RowPortion[]> {
  const portions: RowPortion[] = [];
  for (const key of keysOf(reader.owner))
    portions.push(...(await splitRows(tx, reader, { key, condition: inRange(key, reader, range), bytes })));
  return portions;
}

/** Splits the turns of a session in the same way. */
export const splitTurns = (
  tx: Database,
  reader: Reader,
  { sessionId, bytes }: { sessionId: string; bytes: number },
): Promise<RowPortion[]> => {
  const key = 'aiConversations';
  const condition = sql`${isRead(key, reader)} and ${columnOf(key, 'sessionId')} = ${sessionId}`;
  return splitRows(tx, reader, { key, condition, bytes });
};

async function splitRows(
  tx: Database,
  { protocol }: Reader,
  { key, condition, bytes: limit }: { key: EntityKey; condition: SQL; bytes: number },
): Promise<RowPortion[]> {
  const { rows } = (await tx.execute(
    sql`select ${columnOf(key, entities[key].key)} as id, ${wireBytes(key, protocol)} as bytes from ${tables[key]}
      where ${condition}`,
  )) as { rows: unknown[] };
  const portions: RowPortion[] = [];
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
  return portions;
}

const CountedTurns = z.object({ sessionId: z.string(), count: z.coerce.number(), versions: z.coerce.number() });

/** Counts the turns, up to a version, of each session in the range that has any. */
export async function countTurns(
  tx: Database,
  reader: Reader & { owner: string },
  { range, upTo }: { range: Pick<VersionRange, 'from' | 'to'>; upTo: number },
): Promise<SessionTurns[]> {
  const { aiConversations, practiceHistory } = tables;
  const { rows } = (await tx.execute(sql`
    select ${aiConversations.sessionId} as "sessionId", count(*) as count, sum(${aiConversations.syncVersion}) as versions
    from ${aiConversations}
    where ${aiConversations.userId} = ${reader.owner} and ${aiConversations.syncVersion} <= ${upTo}
      and ${aiConversations.sessionId} in (
        select ${practiceHistory.id} from ${practiceHistory} where ${inRange('practiceHistory', reader, range)})
    group by 1`)) as { rows: unknown[] };
  return z.array(CountedTurns).parse(rows);
}

/** Returns those rows of the portion whose version is still in the range; the others arrive with their new version. */
export async function readPortion(
  tx: Database,
  reader: Reader,
  { key, ids, range }: RowPortion & { range: VersionRange },
): Promise<TablePart[]> {
  const condition = sql`${inRange(key, reader, range)} and ${isOneOf(columnOf(key, entities[key].key), ids)}`;
  const order = sql`${columnOf(key, 'syncVersion')}`;
  return readParts(tx, [partOf(key, { condition, order, protocol: reader.protocol })]);
}
