/** Stores learners' reports about practices, within limits, until an admin has dealt with them. */
import {
  CLOSED_REPORT_RETENTION_DAYS,
  type PracticeReport,
  type PracticeReportRow,
  type PracticeReportsRequest,
} from '@parley/contract';
import { and, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import { type Access, recordAudits, requireLearner } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { practiceReports } from '../db/practice-report-tables.ts';
import { tables } from '../db/tables.ts';
import { DomainError } from '../domain-error.ts';
import { countOpenReports, countOpenReportsWithoutAddress, listReports } from './list-reports.ts';

export interface PracticeReports {
  /**
   * Stores a report once. Throws `access.required` for an account with neither an address nor access, `request.invalid` for an unknown
   * practice, and `request.too_many` when the account or its network has sent too many today, or too many are open.
   */
  receive: (sender: ReportSender, report: PracticeReport) => Promise<void>;
  /** Throws `request.invalid` for an unknown report. Closing one again changes nothing. */
  close: (actorId: string, reportId: string) => Promise<void>;
  /** Does the same for many; unknown ones are skipped. */
  closeMany: (actorId: string, reportIds: readonly string[]) => Promise<void>;
  list: (request: PracticeReportsRequest) => Promise<{ total: number; rows: PracticeReportRow[] }>;
  /** Deletes reports that were closed a month ago or have been open for half a year. Returns how many. */
  deleteExpired: () => Promise<number>;
}

export interface ReportSender {
  userId: string;
  /** The network that the report comes from; an IPv6 /48 is one. */
  network: string;
}

export interface PracticeReportParts {
  db: Database;
  now: () => Date;
  access: Pick<Access, 'isEntitled'>;
  /** Uses up one of the network's reports for the day. Returns the seconds to wait when none is left. */
  consumeForNetwork: (network: string) => Promise<number | null>;
}

const DAY_MS = 24 * 3_600_000;
const MAX_REPORTS_A_DAY = 10;
/** A school's learners may share a network. */
export const MAX_REPORTS_A_DAY_AND_NETWORK = 50;
/** No admin would read more, and each is stored for half a year outside its account's quota. */
const MAX_OPEN_REPORTS = 1_000;
/**
 * An open server accepts any number of accounts without an address, and they must not use up the places of learners who
 * have one.
 */
const MAX_OPEN_REPORTS_WITHOUT_ADDRESS = 200;
const OPEN_RETENTION_DAYS = 180;

export function createPracticeReports({ db, now, access, consumeForNetwork }: PracticeReportParts): PracticeReports {
  const before = (days: number): Date => new Date(now().getTime() - days * DAY_MS);

  /** Any device can register an account without an address, so a limit per account alone would limit nothing. */
  async function requireAddressOrAccess(userId: string): Promise<{ hasAddress: boolean }> {
    const { email, hasAccess, accessDate } = tables.users;
    const [user] = await db
      .select({ email, hasAccess, accessDate })
      .from(tables.users)
      .where(eq(tables.users.userId, userId));
    if (user === undefined || (user.email === null && !access.isEntitled(user)))
      throw new DomainError('access.required');
    return { hasAddress: user.email !== null };
  }

  const hasSentEnough = async (tx: Database, userId: string): Promise<boolean> => {
    const isRecent = and(eq(practiceReports.userId, userId), gt(practiceReports.receivedAt, before(1)));
    return (await tx.$count(practiceReports, isRecent)) >= MAX_REPORTS_A_DAY;
  };

  const isFull = async ({ hasAddress }: { hasAddress: boolean }): Promise<boolean> =>
    (await countOpenReports(db)) >= MAX_OPEN_REPORTS ||
    (!hasAddress && (await countOpenReportsWithoutAddress(db)) >= MAX_OPEN_REPORTS_WITHOUT_ADDRESS);

  const closeReports = (actorId: string, reportIds: readonly string[]): Promise<void> =>
    db.transaction(async (tx) => {
      const closed = await tx
        .update(practiceReports)
        .set({ closedAt: now() })
        .where(and(inArray(practiceReports.id, [...reportIds]), isNull(practiceReports.closedAt)))
        .returning({ subjectId: practiceReports.practiceId });
      const entry = { at: now(), actorId, subject: 'content', act: 'report_closed' } as const;
      await recordAudits(
        tx,
        closed.map(({ subjectId }) => ({ ...entry, subjectId })),
      );
    });

  return {
    async receive({ userId, network }, { at, ...report }) {
      const sender = await requireAddressOrAccess(userId);
      const isKnown = eq(tables.practices.practiceId, report.practiceId);
      if ((await db.$count(tables.practices, isKnown)) === 0)
        throw new DomainError('request.invalid', { field: 'practiceId' });
      if ((await db.$count(practiceReports, eq(practiceReports.id, report.id))) > 0) return;
      const isRefused =
        (await hasSentEnough(db, userId)) || (await isFull(sender)) || (await consumeForNetwork(network)) !== null;
      if (isRefused) throw new DomainError('request.too_many');
      await db.transaction(async (tx) => {
        // Serialised, so that reports that arrive at the same time are all counted.
        await requireLearner(tx, userId);
        if (await hasSentEnough(tx, userId)) throw new DomainError('request.too_many');
        await tx
          .insert(practiceReports)
          .values({ ...report, userId, at: new Date(at), receivedAt: now() })
          .onConflictDoNothing();
      });
    },

    list: (request) => listReports(db, request),

    async close(actorId, reportId) {
      if ((await db.$count(practiceReports, eq(practiceReports.id, reportId))) === 0)
        throw new DomainError('request.invalid', { field: 'reportId' });
      await closeReports(actorId, [reportId]);
    },

    closeMany: closeReports,

    async deleteExpired() {
      const isExpired = or(
        lte(practiceReports.closedAt, before(CLOSED_REPORT_RETENTION_DAYS)),
        lte(practiceReports.receivedAt, before(OPEN_RETENTION_DAYS)),
      );
      return (await db.delete(practiceReports).where(isExpired).returning({ id: practiceReports.id })).length;
    },
  };
}
