/**
 * Stores the crash reports that learners agreed to send, for a month and within limits, for the people who run the
 * server.
 */
import { type AdminCrashesRequest, CRASH_RETENTION_DAYS, type CrashReport, type CrashRow } from '@parley/contract';
import { and, asc, desc, eq, gt, ilike, lte, or } from 'drizzle-orm';
import { requireLearner } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { crashReports } from '../db/crash-tables.ts';
import { DomainError } from '../domain-error.ts';

export interface Crashes {
  /** Stores a report once. Throws `request.too_many` when the account has sent too many today. */
  receive: (userId: string, report: CrashReport) => Promise<void>;
  list: (request: AdminCrashesRequest) => Promise<{ total: number; rows: CrashRow[] }>;
  /**
   * Deletes reports that are older than the retention period, and the oldest ones above the limit. Returns how many.
   */
  deleteExpired: () => Promise<number>;
}

export interface CrashParts {
  db: Database;
  now: () => Date;
  /** The maximum number of reports from all learners together. */
  maxReports?: number;
}

const DAY_MS = 24 * 3_600_000;
const MAX_REPORTS_A_DAY = 20;
const MAX_REPORTS = 5_000;

export function createCrashes({ db, now, maxReports = MAX_REPORTS }: CrashParts): Crashes {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);
  return {
    async receive(userId, { at, ...report }) {
      const isRecent = and(eq(crashReports.userId, userId), gt(crashReports.receivedAt, before(1)));
      await db.transaction(async (tx) => {
        // Serialised, so that reports that arrive at the same time are all counted.
        await requireLearner(tx, userId);
        if ((await tx.$count(crashReports, isRecent)) >= MAX_REPORTS_A_DAY) throw new DomainError('request.too_many');
        await tx
          .insert(crashReports)
          .values({ ...report, userId, at: new Date(at), receivedAt: now() })
          .onConflictDoNothing();
      });
    },

    async list({ search, direction, page, pageSize }) {
      const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const where =
        search === ''
          ? undefined
          : or(
              ...[crashReports.kind, crashReports.version, crashReports.system].map((column) => ilike(column, pattern)),
            );
      const order = direction === 'asc' ? asc : desc;
      const [total, rows] = await Promise.all([
        db.$count(crashReports, where),
        db
          .select()
          .from(crashReports)
          .where(where)
          .orderBy(order(crashReports.receivedAt), crashReports.id)
          .limit(pageSize)
          .offset(page * pageSize),
      ]);
      return { total, rows: rows.map(toCrashRow) };
    },

    async deleteExpired() {
      const [oldestKept] = await db
        .select({ receivedAt: crashReports.receivedAt })
        .from(crashReports)
        .orderBy(desc(crashReports.receivedAt))
        .offset(maxReports)
        .limit(1);
      const expired = before(CRASH_RETENTION_DAYS);
      const until = oldestKept === undefined || oldestKept.receivedAt < expired ? expired : oldestKept.receivedAt;
      const deleted = await db
        .delete(crashReports)
        .where(lte(crashReports.receivedAt, until))
        .returning({ id: crashReports.id });
      return deleted.length;
    },
  };
}

const toCrashRow = ({ userId: _hidden, at, receivedAt, ...report }: typeof crashReports.$inferSelect): CrashRow => ({
  ...report,
  at: at.toISOString(),
  receivedAt: receivedAt.toISOString(),
});
