/** Everything that the server holds of a learner, table by table, as it is read: a long history need not fit into memory. */
import { entities } from '@parley/domain';
import { and, asc, eq, getTableColumns, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../db/client.ts';
import {
  accountDeletions,
  aiLeases,
  aiUsage,
  auditLog,
  BYTE_COUNTS,
  devices,
  linkCodes,
  mails,
  planOutlooks,
  rejections,
  signIns,
  tables,
  webSessions,
} from '../db/tables.ts';
import { readUser } from './account-rows.ts';
import { LEARNER_KEYS, ownerColumn } from './erase.ts';

const ROWS_A_PAGE = 500;
/** Of rows that may be long, so few are in memory at once. */
const LONG_ROWS_A_PAGE = 16;
const LONG_ROWS: ReadonlySet<string> = new Set(['practice_history', 'ai_conversations']);
/** What proves who somebody is, and what would let them in. */
const SECRETS: ReadonlySet<string> = new Set(['tokenHash', 'codeHash', 'linkHash']);

interface Exported {
  name: string;
  table: PgTable;
  /** Unique: pages follow each other by it. */
  key: SQL;
  where: SQL | undefined;
  rowsAPage: number;
}

type ExportedRow = Record<string, unknown>;

export interface ExportedTable {
  name: string;
  columns: string[];
  rows: AsyncGenerator<ExportedRow>;
}

/** In this order; each is read when it is asked for. */
export async function exportTables(db: Database, userId: string): Promise<ExportedTable[]> {
  const email = (await readUser(db, userId))?.email ?? null;
  return tablesOf(db, userId, email).map((exported) => ({
    name: exported.name,
    columns: columnsOf(exported.table).map(([name]) => name),
    rows: readRows(db, exported),
  }));
}

/** One object with an array a table. */
export async function* exportJson(db: Database, userId: string): AsyncGenerator<string> {
  let before = '{';
  for (const { name, rows } of await exportTables(db, userId)) {
    yield `${before}\n${JSON.stringify(name)}:[`;
    before = ',';
    let comma = '';
    for await (const row of rows) {
      yield `${comma}\n${JSON.stringify(row)}`;
      comma = ',';
    }
    yield ']';
  }
  yield '\n}\n';
}

function tablesOf(db: Database, userId: string, email: string | null): Exported[] {
  const of = (name: string, table: PgTable, key: AnyPgColumn | SQL, where: SQL | undefined): Exported => ({
    name,
    table,
    key: sql`${key}`,
    where,
    rowsAPage: LONG_ROWS.has(name) ? LONG_ROWS_A_PAGE : ROWS_A_PAGE,
  });
  const byUser = (column: AnyPgColumn): SQL => eq(column, userId);
  return [
    of('users', tables.users, tables.users.userId, byUser(tables.users.userId)),
    ...LEARNER_KEYS.toReversed().map((key) => {
      const table = tables[key] as PgTable;
      return of(entities[key].name, table, columnNamed(table, entities[key].key), byUser(ownerColumn(key)));
    }),
    of('devices', devices, devices.deviceId, byUser(devices.userId)),
    of('rejections', rejections, REJECTION_KEY, inArray(rejections.deviceId, devicesOf(db, userId))),
    of('link_codes', linkCodes, linkCodes.codeHash, byUser(linkCodes.userId)),
    of('web_sessions', webSessions, webSessions.id, byUser(webSessions.userId)),
    of('ai_usage', aiUsage, aiUsage.id, byUser(aiUsage.userId)),
    of('ai_leases', aiLeases, aiLeases.userId, byUser(aiLeases.userId)),
    of('audit_log', auditLog, auditLog.id, byUser(auditLog.subjectId)),
    of('plan_outlooks', planOutlooks, planOutlooks.userId, byUser(planOutlooks.userId)),
    of('account_deletions', accountDeletions, accountDeletions.userId, byUser(accountDeletions.userId)),
    of('mails', mails, mails.id, or(byUser(mails.userId), email === null ? undefined : eq(mails.to, email))),
    ...(email === null ? [] : [of('sign_ins', signIns, signIns.id, eq(signIns.email, email))]),
  ];
}

const REJECTION_KEY = sql`${rejections.deviceId}::text || lpad(${rejections.deviceSeq}::text, 20, '0')`;

const devicesOf = (db: Database, userId: string) =>
  db.select({ deviceId: devices.deviceId }).from(devices).where(eq(devices.userId, userId));

function columnsOf(table: PgTable): [name: string, column: AnyPgColumn][] {
  return Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>).filter(
    ([name]) => !SECRETS.has(name) && !BYTE_COUNTS.has(name),
  );
}

function columnNamed(table: PgTable, name: string): AnyPgColumn {
  const column = (getTableColumns(table) as Record<string, AnyPgColumn>)[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

async function* readRows(db: Database, { table, key, where, rowsAPage }: Exported): AsyncGenerator<ExportedRow> {
  const shown = Object.fromEntries(columnsOf(table));
  let last: unknown = null;
  for (;;) {
    const after = last === null ? undefined : gt(key, last);
    const page = await db
      .select({ ...shown, pageKey: key })
      .from(table)
      .where(and(where, after))
      .orderBy(asc(key))
      .limit(rowsAPage);
    for (const { pageKey, ...row } of page as ExportedRow[]) {
      last = pageKey;
      yield row;
    }
    if (page.length < rowsAPage) return;
  }
}
