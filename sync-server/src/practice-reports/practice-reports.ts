/** Keeps what learners report about practices until an admin has dealt with it, within bounds. */
import { CLOSED_REPORT_RETENTION_DAYS, type PracticeReport } from '@parley/contract';
import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import { recordAudit } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { practiceReports } from '../db/practice-report-tables.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';

export interface PracticeReports {
  /** Stores a report once. Throws `request.too_many` when the account has sent too many today, `request.invalid` for an unknown practice. */
  receive: (userId: string, report: PracticeReport) => Promise<void>;
  /** Throws `request.invalid` for an unknown report. Closing one again changes nothing. */
  close: (actorId: string, reportId: string) => Promise<void>;
  /** Deletes what was closed a month ago, and what has been open for half a year. Returns how many. */
  deleteExpired: () => Promise<number>;
}

const DAY_MS = 24 * 3_600_000;
const MAX_REPORTS_A_DAY = 10;
const OPEN_RETENTION_DAYS = 180;

export function createPracticeReports({ db, now }: { db: Database; now: () => Date }): PracticeReports {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  return {
    async receive(userId, { at, ...report }) {
      const isKnown = eq(tables.practices.practiceId, report.practiceId);
      if ((await db.$count(tables.practices, isKnown)) === 0)
        throw new DomainError('request.invalid', { field: 'practiceId' });
      if ((await db.$count(practiceReports, eq(practiceReports.id, report.id))) > 0) return;
      const isRecent = and(eq(practiceReports.userId, userId), gt(practiceReports.receivedAt, before(1)));
      if ((await db.$count(practiceReports, isRecent)) >= MAX_REPORTS_A_DAY) throw new DomainError('request.too_many');
      await db
        .insert(practiceReports)
        .values({ ...report, userId, at: new Date(at), receivedAt: now() })
        .onConflictDoNothing();
    },

    close: (actorId, reportId) =>
      db.transaction(async (tx) => {
        const isReport = eq(practiceReports.id, reportId);
        const [closed] = await tx
          .update(practiceReports)
          .set({ closedAt: now() })
          .where(and(isReport, isNull(practiceReports.closedAt)))
          .returning();
        if (closed === undefined) {
          if ((await tx.$count(practiceReports, isReport)) > 0) return;
          throw new DomainError('request.invalid', { field: 'reportId' });
        }
        const { practiceId: subjectId } = closed;
        await recordAudit(tx, { at: now(), actorId, subject: 'content', subjectId, act: 'report_closed' });
      }),

    async deleteExpired() {
      const isExpired = or(
        lte(practiceReports.closedAt, before(CLOSED_REPORT_RETENTION_DAYS)),
        lte(practiceReports.receivedAt, before(OPEN_RETENTION_DAYS)),
      );
      return (await db.delete(practiceReports).where(isExpired).returning({ id: practiceReports.id })).length;
    },
  };
}
