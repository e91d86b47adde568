/** Queries for the facts that reminders depend on. Each reads a page of learners at once. */
import { ALLOWANCES, REMINDER_KINDS } from '@parley/domain';
import { and, desc, eq, gt, gte, inArray, isNotNull, isNull, min, notExists, or, sql, sum } from 'drizzle-orm';
import { readStoredSubscriptions } from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import { mails } from '../../db/mail-tables.ts';
import { aiUsage } from '../../db/metering-tables.ts';
import { accountDeletions, auditLog, devices, tables } from '../../db/tables.ts';

const { users } = tables;

const DAY_MS = 24 * 3_600_000;
/** Covers seven local days in every time zone. */
const USAGE_WINDOW_MS = 9 * DAY_MS;

/** Selects learners with access and an address: one, or a page ordered by id. */
export type LearnerSelection = { after: string | null; limit: number } | { userId: string };

export const readUsers = (db: Database, whom: LearnerSelection) =>
  db
    .select({
      userId: users.userId,
      email: users.email,
      firstName: users.firstName,
      accessDate: users.accessDate,
      lastLoginAt: users.lastLoginAt,
      emailNotifications: users.emailNotifications,
      // Written with table names, because drizzle omits them when it selects from one table. A session that was only
      // opened does not count. Only the few sessions without a score are examined, which is why this is a scalar
      // subquery: PostgreSQL cannot turn it into a hash of all turns.
      hasPractised: sql<boolean>`exists (
        select 1 from practice_history h where h.user_id = users.user_id and (h.score is not null or (
          select 1 from ai_conversations t where t.session_id = h.id and t.role = 'learner' limit 1) is not null))`,
    })
    .from(users)
    .where(
      and(
        'userId' in whom
          ? eq(users.userId, whom.userId)
          : whom.after === null
            ? undefined
            : gt(users.userId, whom.after),
        eq(users.hasAccess, true),
        isNotNull(users.email),
        isNotNull(users.accessDate),
        isNull(users.deletedAt),
        notExists(db.select().from(accountDeletions).where(eq(accountDeletions.userId, users.userId))),
      ),
    )
    .orderBy(users.userId)
    .limit('userId' in whom ? 1 : whom.limit);

/** Reads each learner's time zone from their most recently used device. */
export const readDevices = (db: Database, ids: string[]) =>
  db
    .selectDistinctOn([devices.userId], {
      userId: devices.userId,
      timeZone: devices.timeZone,
      lastSeenAt: sql<Date>`max(${devices.lastSeenAt}) over (partition by ${devices.userId})`.mapWith(
        devices.lastSeenAt,
      ),
    })
    .from(devices)
    .where(and(inArray(devices.userId, ids), isNull(devices.revokedAt)))
    .orderBy(devices.userId, sql`${devices.timeZone} is null`, desc(devices.lastSeenAt));

/** Reads the first sign-in since access was granted. */
export const readSignIns = (db: Database, ids: string[]) =>
  db
    .select({ userId: users.userId, at: min(auditLog.at) })
    .from(users)
    .innerJoin(
      auditLog,
      and(eq(auditLog.subjectId, users.userId), eq(auditLog.act, 'signed_in'), gte(auditLog.at, users.accessDate)),
    )
    .where(inArray(users.userId, ids))
    .groupBy(users.userId);

export const readMails = (db: Database, ids: string[]) =>
  db
    .select({
      id: mails.id,
      userId: sql<string>`${mails.userId}`,
      kind: mails.kind,
      step: mails.step,
      state: mails.state,
      createdAt: mails.createdAt,
      sentAt: mails.sentAt,
      nextTryAt: mails.nextTryAt,
      dismissedAt: mails.dismissedAt,
    })
    .from(mails)
    .where(and(inArray(mails.userId, ids), inArray(mails.kind, ['access_link', ...REMINDER_KINDS])));

/** Never null here: usage without a learner belongs to erased accounts and is filtered out. */
const USAGE_USER_ID = sql<string>`${aiUsage.userId}`;

export const readLimitDays = (db: Database, ids: string[], now: Date) =>
  db
    .select({ userId: USAGE_USER_ID, day: aiUsage.localDay })
    .from(aiUsage)
    .where(
      and(
        inArray(aiUsage.userId, ids),
        eq(aiUsage.use, 'live'),
        gte(aiUsage.at, new Date(now.getTime() - USAGE_WINDOW_MS)),
      ),
    )
    .groupBy(aiUsage.userId, aiUsage.localDay)
    .having(gte(sum(aiUsage.seconds), String(ALLOWANCES.FREE.liveS)));

/** Reads usage since a different start time for each learner. */
export const readUsageSince = async (db: Database, periods: readonly { userId: string; since: Date }[]) =>
  periods.length === 0
    ? []
    : db
        .select({ userId: USAGE_USER_ID, seconds: sum(aiUsage.seconds) })
        .from(aiUsage)
        .where(
          and(
            eq(aiUsage.use, 'live'),
            or(...periods.map(({ userId, since }) => and(eq(aiUsage.userId, userId), gte(aiUsage.at, since)))),
          ),
        )
        .groupBy(aiUsage.userId);

export const readPlans = (db: Database, ids: string[]) =>
  readStoredSubscriptions(db, inArray(tables.subscriptions.userId, ids));
