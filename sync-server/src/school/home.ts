/** The items that need an admin's decision. */
import { type AdminHome, type AttentionItem } from '@parley/contract';
import { fullName, gracePeriodEnd } from '@parley/domain';
import { and, asc, desc, eq, exists, gte, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { readLongestWaiting } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { crashReports } from '../db/crash-tables.ts';
import { mails } from '../db/mail-tables.ts';
import { pendingPlanChanges, tables } from '../db/tables.ts';
import { readOpenReports } from '../practice-reports/index.ts';
import { RECENT_CRASH_MS, UNDELIVERED_MS } from './overview.ts';
import { readUnscheduledPosts } from './unscheduled-posts.ts';

const PER_KIND = 5;

/** The weeks are read separately, because they are cached for a minute. */
export async function readHome(db: Database, now: Date): Promise<Omit<AdminHome, 'weeks'>> {
  const [learners, requests, mail, payments, reports, crashes, posts] = await Promise.all([
    countLearners(db),
    readLongestWaiting(db, PER_KIND),
    readUndelivered(db, now),
    readLatePayments(db, now),
    readOpenReports(db, PER_KIND),
    readNewestCrash(db, now),
    readUnscheduledPosts(db, now),
  ]);
  return {
    learners,
    attention: [
      ...requests.map(({ since, ...learner }): AttentionItem => ({
        kind: 'access',
        userId: learner.userId,
        name: fullName(learner),
        email: learner.email,
        detail: null,
        since: since.toISOString(),
      })),
      ...mail,
      ...payments,
      ...reports.map(({ id, practiceId, node, line, text, title, receivedAt }): AttentionItem => ({
        kind: 'report',
        userId: null,
        contentId: practiceId,
        report: { reportId: id, node, line },
        name: title,
        email: null,
        detail: text,
        since: receivedAt.toISOString(),
      })),
      ...crashes,
      ...posts.slice(0, PER_KIND).map(({ id, title, since }): AttentionItem => ({
        kind: 'post',
        userId: null,
        contentId: id,
        name: title,
        email: null,
        detail: null,
        since: since.toISOString(),
      })),
    ],
  };
}

/** An admin is a learner only if they have practised. */
function countLearners(db: Database): Promise<number> {
  const { users, practiceHistory } = tables;
  const practices = db.select().from(practiceHistory).where(eq(practiceHistory.userId, users.userId));
  return db.$count(users, and(isNotNull(users.email), or(eq(users.isAdmin, false), exists(practices))));
}

async function readUndelivered(db: Database, now: Date): Promise<AttentionItem[]> {
  const { users } = tables;
  const rows = await db
    .select({ to: mails.to, userId: mails.userId, trouble: mails.trouble, createdAt: mails.createdAt, user: users })
    .from(mails)
    .leftJoin(users, eq(users.userId, mails.userId))
    .where(
      and(inArray(mails.state, ['failed', 'bounced']), gte(mails.createdAt, new Date(now.getTime() - UNDELIVERED_MS))),
    )
    .orderBy(desc(mails.createdAt))
    .limit(PER_KIND);
  return rows.map(({ to, userId, trouble, createdAt, user }) => ({
    kind: 'mail',
    userId,
    name: user === null ? null : fullName(user),
    email: to,
    detail: trouble,
    since: createdAt.toISOString(),
  }));
}

async function readLatePayments(db: Database, now: Date): Promise<AttentionItem[]> {
  const { users, subscriptions } = tables;
  const { pastDueSince, paidPlan, paidUntil } = pendingPlanChanges;
  const since = sql<Date>`coalesce(${pastDueSince}, ${subscriptions.updatedAt})`.mapWith(subscriptions.updatedAt);
  const rows = await db
    .select({ user: users, subscription: subscriptions, pastDueSince, paidPlan, paidUntil, since })
    .from(subscriptions)
    .innerJoin(users, eq(users.userId, subscriptions.userId))
    .leftJoin(pendingPlanChanges, eq(pendingPlanChanges.userId, subscriptions.userId))
    .where(eq(subscriptions.status, 'past_due'))
    .orderBy(asc(since))
    .limit(PER_KIND);
  return rows.map(({ user, subscription, since, ...payments }) => ({
    kind: 'payment',
    userId: user.userId,
    name: fullName(user),
    email: user.email,
    detail: subscription.planType,
    planUntil: gracePeriodEnd({ ...subscription, ...payments }, now)?.toISOString() ?? null,
    since: since.toISOString(),
  }));
}

async function readNewestCrash(db: Database, now: Date): Promise<AttentionItem[]> {
  const rows = await db
    .select({ kind: crashReports.kind, receivedAt: crashReports.receivedAt })
    .from(crashReports)
    .where(gte(crashReports.receivedAt, new Date(now.getTime() - RECENT_CRASH_MS)))
    .orderBy(desc(crashReports.receivedAt))
    .limit(1);
  return rows.map(({ kind, receivedAt }) => ({
    kind: 'crash',
    userId: null,
    name: null,
    email: null,
    detail: kind,
    since: receivedAt.toISOString(),
  }));
}
