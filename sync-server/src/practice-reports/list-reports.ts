/** Lists reports for admins, without their senders. */
import type { PracticeReportRow, PracticeReportsRequest } from '@parley/contract';
import { and, asc, count, desc, eq, ilike, isNotNull, isNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { practiceReports } from '../db/practice-report-tables.ts';
import { tables } from '../db/tables.ts';

const isOpen = isNull(practiceReports.closedAt);

export const countOpenReports = (db: Database): Promise<number> => db.$count(practiceReports, isOpen);

export async function countOpenReportsWithoutAddress(db: Database): Promise<number> {
  const { users } = tables;
  const [counted] = await db
    .select({ reports: count() })
    .from(practiceReports)
    .innerJoin(users, eq(users.userId, practiceReports.userId))
    .where(and(isOpen, isNull(users.email)));
  return counted?.reports ?? 0;
}

function selectReports(db: Database) {
  const { id, practiceId, node, line, text, receivedAt, closedAt } = practiceReports;
  return db
    .select({ id, practiceId, node, line, text, receivedAt, closedAt, title: tables.practices.title })
    .from(practiceReports)
    .leftJoin(tables.practices, eq(tables.practices.practiceId, practiceId as never));
}

/** Oldest first. */
export const readOpenReports = (db: Database, limit: number) =>
  selectReports(db).where(isOpen).orderBy(asc(practiceReports.receivedAt), asc(practiceReports.id)).limit(limit);

export async function listReports(
  db: Database,
  { search, state, direction, page, pageSize }: PracticeReportsRequest,
): Promise<{ total: number; rows: PracticeReportRow[] }> {
  const where = and(state === 'open' ? isOpen : isNotNull(practiceReports.closedAt), contains(search));
  const order = direction === 'asc' ? asc : desc;
  const [total, rows] = await Promise.all([
    db.$count(practiceReports, where),
    selectReports(db)
      .where(where)
      .orderBy(order(practiceReports.receivedAt), asc(practiceReports.id))
      .limit(pageSize)
      .offset(page * pageSize),
  ]);
  return {
    total,
    rows: rows.map(({ receivedAt, closedAt, ...row }) => ({
      ...row,
      receivedAt: receivedAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    })),
  };
}

function contains(search: string): SQL | undefined {
  if (search === '') return undefined;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(ilike(practiceReports.text, pattern), ilike(practiceReports.line, pattern));
}
