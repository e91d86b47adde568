/** Exports everything that the server holds about a learner, streamed table by table because a long history may not fit into memory. */
import { entities } from '@parley/domain';
import { and, asc, eq, getTableColumns, gt, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/client.ts';
import { openedSections } from '../../db/course-tables.ts';
import { crashReports } from '../../db/crash-tables.ts';
import { mails } from '../../db/mail-tables.ts';
import { practiceReports } from '../../db/practice-report-tables.ts';
import { keptRecordings, recordingAccounts, recordingBlobs } from '../../db/recording-tables.ts';
import { classMembers } from '../../db/school-tables.ts';
import { aiLeases, aiUsage } from '../../db/metering-tables.ts';
import {
  accountDeletions,
  auditLog,
  BYTE_COUNT_COLUMNS,
  devices,
  linkCodes,
  pendingPlanChanges,
  rejections,
  signIns,
  tables,
  webSessions,
} from '../../db/tables.ts';
import { readUser } from '../account-rows.ts';
import { LEARNER_ENTITY_KEYS, ownerColumn } from '../deletion/erase-learner.ts';

const ROWS_PER_PAGE = 500;
/** The maximum size of the rows that are read at once, unless a single one is larger. */
const BYTES_PER_READ = 2 * 1_048_576;
/**
 * The size of these rows is not stored, and servers from before the limit stored rows of several megabytes, so only a
 * few are measured at once.
 */
const REJECTIONS_PER_PAGE = 16;
/** Computed for each session when its row is read, because a conversation is far larger than the rest of the row. */
const CONVERSATION = 'entireConversation';
/** Columns that could be used to sign in. */
const SECRET_COLUMNS: ReadonlySet<string> = new Set(['tokenHash', 'codeHash', 'linkHash', 'wipeKey']);

interface ExportSource {
  name: string;
  table: PgTable;
  /** Unique, because it is the cursor of the pages. */
  key: SQL;
  where: SQL | undefined;
  /** SQL for the size of a row. */
  bytes: SQL;
  rowsPerPage: number;
}

export interface ExportSubject {
  userId: string;
  /** Returns the turns of a session in order, without the fields that are in the rows of the turns. */
  conversationOf: (sessionId: string) => Promise<unknown[]>;
}

type ExportedRow = Record<string, unknown>;

export interface ExportedTable {
  name: string;
  columns: string[];
  rows: AsyncGenerator<ExportedRow>;
}

/** The tables in export order. Each one is read when its rows are iterated. */
export async function exportTables(db: Database, { userId, conversationOf }: ExportSubject): Promise<ExportedTable[]> {
  const email = (await readUser(db, userId))?.email ?? null;
  return exportSourcesOf(db, userId, email).map((exported) => ({
    name: exported.name,
    columns: columnsOf(exported.table).map(([name]) => name),
    rows:
      exported.table === tables.practiceHistory ? readSessions(db, exported, conversationOf) : readRows(db, exported),
  }));
}

/** One JSON object with an array per table. */
export async function* exportJson(db: Database, subject: ExportSubject): AsyncGenerator<string> {
  let before = '{';
  for (const { name, rows } of await exportTables(db, subject)) {
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

function exportSourcesOf(db: Database, userId: string, email: string | null): ExportSource[] {
  const sourceOf = (name: string, table: PgTable, key: AnyPgColumn | SQL, where: SQL | undefined): ExportSource => ({
    name,
    table,
    key: sql`${key}`,
    where,
    bytes: bytesOf(table),
    rowsPerPage: table === rejections ? REJECTIONS_PER_PAGE : ROWS_PER_PAGE,
  });
  const byUser = (column: AnyPgColumn): SQL => eq(column, userId);
  return [
    sourceOf('users', tables.users, tables.users.userId, byUser(tables.users.userId)),
    ...LEARNER_ENTITY_KEYS.toReversed().map((key) => {
      const table = tables[key] as PgTable;
      return sourceOf(entities[key].name, table, columnByName(table, entities[key].key), byUser(ownerColumn(key)));
    }),
    sourceOf('opened_sections', openedSections, openedSections.courseSectionId, byUser(openedSections.userId)),
    sourceOf('devices', devices, devices.deviceId, byUser(devices.userId)),
    sourceOf('rejections', rejections, REJECTION_KEY, inArray(rejections.deviceId, deviceIdsOf(db, userId))),
    sourceOf('link_codes', linkCodes, linkCodes.codeHash, byUser(linkCodes.userId)),
    sourceOf('recording_accounts', recordingAccounts, recordingAccounts.userId, byUser(recordingAccounts.userId)),
    sourceOf('kept_recordings', keptRecordings, keptRecordings.recordingId, byUser(keptRecordings.userId)),
    sourceOf('recording_blobs', recordingBlobs, recordingBlobs.sha256, byUser(recordingBlobs.userId)),
    sourceOf('web_sessions', webSessions, webSessions.id, byUser(webSessions.userId)),
    sourceOf('ai_usage', aiUsage, aiUsage.id, byUser(aiUsage.userId)),
    sourceOf('ai_leases', aiLeases, aiLeases.userId, byUser(aiLeases.userId)),
    sourceOf('class_members', classMembers, classMembers.classId, byUser(classMembers.userId)),
    sourceOf('crash_reports', crashReports, crashReports.id, byUser(crashReports.userId)),
    sourceOf('practice_reports', practiceReports, practiceReports.id, byUser(practiceReports.userId)),
    sourceOf('audit_log', auditLog, auditLog.id, byUser(auditLog.subjectId)),
    sourceOf('plan_outlooks', pendingPlanChanges, pendingPlanChanges.userId, byUser(pendingPlanChanges.userId)),
    sourceOf('account_deletions', accountDeletions, accountDeletions.userId, byUser(accountDeletions.userId)),
    sourceOf('mails', mails, mails.id, or(byUser(mails.userId), email === null ? undefined : eq(mails.to, email))),
    ...(email === null ? [] : [sourceOf('sign_ins', signIns, signIns.id, eq(signIns.email, email))]),
  ];
}

const REJECTION_KEY = sql`${rejections.deviceId}::text || lpad(${rejections.deviceSeq}::text, 20, '0')`;

const deviceIdsOf = (db: Database, userId: string) =>
  db.select({ deviceId: devices.deviceId }).from(devices).where(eq(devices.userId, userId));

function columnsOf(table: PgTable): [name: string, column: AnyPgColumn][] {
  return Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>).filter(
    ([name]) => !SECRET_COLUMNS.has(name) && !BYTE_COUNT_COLUMNS.has(name),
  );
}

function columnByName(table: PgTable, name: string): AnyPgColumn {
  const column = (getTableColumns(table) as Record<string, AnyPgColumn>)[name];
  if (column === undefined) throw new Error(`there is no column ${name}`);
  return column;
}

function bytesOf(table: PgTable): SQL {
  if (table === rejections) return sql`coalesce(octet_length(${rejections.refused}::text), 0)`;
  const { wireBytes } = getTableColumns(table) as Record<string, AnyPgColumn>;
  return wireBytes === undefined ? sql`0` : sql`${wireBytes}`;
}

async function* readRows(
  db: Database,
  { table, key, where, bytes, rowsPerPage }: ExportSource,
): AsyncGenerator<ExportedRow> {
  const shown = Object.fromEntries(columnsOf(table).filter(([name]) => name !== CONVERSATION));
  let last: unknown = null;
  const isAfterLast = (): SQL | undefined => (last === null ? undefined : gt(key, last));
  for (;;) {
    const page = (await db
      .select({ key, bytes })
      .from(table)
      .where(and(where, isAfterLast()))
      .orderBy(asc(key))
      .limit(rowsPerPage)) as { key: unknown; bytes: number }[];
    for (const upTo of portionsOf(page)) {
      const rows = await db
        .select(shown)
        .from(table)
        .where(and(where, isAfterLast(), lte(key, upTo)))
        .orderBy(asc(key));
      yield* rows as ExportedRow[];
      last = upTo;
    }
    if (page.length < rowsPerPage) return;
  }
}

/** Returns the last key of each portion. */
function portionsOf(page: readonly { key: unknown; bytes: number }[]): unknown[] {
  const ends: unknown[] = [];
  let portionBytes = 0;
  for (const [index, { key, bytes }] of page.entries()) {
    portionBytes += bytes;
    const next = page[index + 1];
    if (next !== undefined && portionBytes + next.bytes <= BYTES_PER_READ) continue;
    ends.push(key);
    portionBytes = 0;
  }
  return ends;
}

async function* readSessions(
  db: Database,
  source: ExportSource,
  conversationOf: ExportSubject['conversationOf'],
): AsyncGenerator<ExportedRow> {
  for await (const row of readRows(db, source)) {
    const conversation = await conversationOf(String(row['id']));
    yield Object.fromEntries(
      columnsOf(source.table).map(([name]) => [name, name === CONVERSATION ? conversation : row[name]]),
    );
  }
}
