/** Checks that the replica of a device equals the rows of the server, including versions, times and tombstones. */
import { isDeepStrictEqual } from 'node:util';
import { checkConversations } from './conversation.ts';
import type { Row, Rows } from './oracle-edit.ts';
import type { DocumentedTable } from './protocol-document.ts';

export interface ReplicaCase {
  rows: Rows;
  /** The version of every catalogue row by key. */
  catalogue: ReadonlyMap<string, number>;
  /** `entireConversation` by session. */
  conversations: ReadonlyMap<string, readonly Row[]>;
  waiting: number;
  /** Errors that SQLite reports for the file. */
  damage: readonly string[];
}

type Document = ReadonlyMap<string, DocumentedTable>;

/** The number of problems that are reported in full. */
const MAX_REPORTED = 3;

export function checkReplica(
  document: Document,
  replica: ReplicaCase,
  server: { rows: Rows; catalogue: ReadonlyMap<string, number> },
  userId: string,
): string[] {
  const foreign = [...replica.rows].flatMap(([key, row]) =>
    row['userId'] === userId ? [] : [`holds ${key} of another learner`],
  );
  return [
    ...replica.damage,
    ...foreign,
    ...compareRows(document, replica.rows, server.rows),
    ...checkConversations(server.rows, replica.conversations).slice(0, MAX_REPORTED),
    ...(isDeepStrictEqual(new Map(replica.catalogue), new Map(server.catalogue))
      ? []
      : ['has another catalogue than the server']),
    ...(replica.waiting > 0 ? [`still has ${replica.waiting} changes in its outbox`] : []),
  ];
}

/** With `isOlder`, only fields that the older app knows are compared. */
export function compareRows(
  document: Document,
  held: Rows,
  server: Rows,
  { isOlder = false }: { isOlder?: boolean } = {},
): string[] {
  const problems: string[] = [];
  for (const [key, row] of server) {
    const own = held.get(key);
    const names =
      own === undefined
        ? []
        : findDifferences(document.get(key.split(' ')[0] ?? ''), own, isOlder ? pickFields(own, row) : row);
    const [name = ''] = names;
    if (own === undefined) problems.push(`lacks ${key}`);
    else if (names.length > 0)
      problems.push(
        `differs in ${key} (${names.join(', ')}): here ${JSON.stringify(own[name])?.slice(0, 120)}, there ${JSON.stringify(row[name])?.slice(0, 120)}`,
      );
  }
  for (const key of held.keys()) if (!server.has(key)) problems.push(`has ${key}, which the server lacks`);
  return problems.length > MAX_REPORTED
    ? [...problems.slice(0, MAX_REPORTED), `and ${problems.length - MAX_REPORTED} more rows`]
    : problems;
}

const pickFields = (own: Row, server: Row): Row =>
  Object.fromEntries(Object.entries(server).filter(([name]) => name in own));

function findDifferences(table: DocumentedTable | undefined, own: Row, server: Row): string[] {
  const names = Object.keys({ ...own, ...server }).filter(
    (name) => name !== 'fieldClocks' && table?.fields.get(name)?.rule !== 'projection',
  );
  const clocks = table === undefined ? [] : findClockDifferences(table, own, server);
  return [...names.filter((name) => !isDeepStrictEqual(own[name], server[name])), ...clocks];
}

/** A time for the whole row applies to each field, and the time of the rank field to its whole unit. */
function findClockDifferences({ fields, key, unit }: DocumentedTable, own: Row, server: Row): string[] {
  const [ours, theirs] = [own['fieldClocks'], server['fieldClocks']] as (Record<string, string> | undefined)[];
  if (ours === undefined || theirs === undefined) return [];
  const timed = [...fields.values()].filter(
    ({ name, rule }) =>
      !['set by the server', 'projection', 'fixed when the row is made'].includes(rule) &&
      name !== key &&
      (rule !== 'unit' || name === unit?.rankField),
  );
  const isDeleted = own['deletedAt'] !== null;
  const names = [...timed.map(({ name }) => name), ...(isDeleted ? ['deletedAt'] : [])];
  const of = (clocks: Record<string, string>, name: string): string | null =>
    clocks[name] ?? (name === 'deletedAt' ? null : (clocks['*'] ?? null));
  const differentNames = names.filter((name) => of(ours, name) !== of(theirs, name));
  return differentNames.length === 0 ? [] : ['fieldClocks', ...differentNames.map((name) => `the time of ${name}`)];
}
