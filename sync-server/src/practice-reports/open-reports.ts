/** The reports that wait for an admin. */
import { asc, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { practiceReports } from '../db/practice-report-tables.ts';
import { tables } from '../db/tables.ts';

export const countOpenReports = (db: Database): Promise<number> =>
  db.$count(practiceReports, isNull(practiceReports.closedAt));

/** The oldest first, without their senders. */
export function readOpenReports(db: Database, limit: number) {
  const { id, practiceId, node, line, text, receivedAt } = practiceReports;
  return db
    .select({ id, practiceId, node, line, text, receivedAt, title: tables.practices.title })
    .from(practiceReports)
    .leftJoin(tables.practices, eq(tables.practices.practiceId, practiceId as never))
    .where(isNull(practiceReports.closedAt))
    .orderBy(asc(receivedAt), asc(id))
    .limit(limit);
}
