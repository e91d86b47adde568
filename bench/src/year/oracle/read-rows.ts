/** Reads all rows that a day's checks need. */
import { and, count, desc, eq, gte, inArray, isNotNull, or, sql, sum } from 'drizzle-orm';
import type { Database } from '../../../../sync-server/src/db/client.ts';
import { mails } from '../../../../sync-server/src/db/mail-tables.ts';
import { aiUsage } from '../../../../sync-server/src/db/metering-tables.ts';
import { auditLog, tables } from '../../../../sync-server/src/db/tables.ts';
import type { SentReminder } from '../account-script.ts';

const MAX_ATTEMPTS = 5;

export type SubscriptionRow = typeof tables.subscriptions.$inferSelect & { providerPrice: string | null };

export interface DayRows {
  users: ReadonlySet<string>;
  subscriptions: ReadonlyMap<string, SubscriptionRow[]>;
  /** How often each action appears in the audit log, by learner. */
  acts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  lastPlan: ReadonlyMap<string, { plan: unknown; status: unknown }>;
  seconds: ReadonlyMap<string, number>;
  addresses: ReadonlySet<string>;
  /**
   * By learner: mails that were given up after five attempts, and upgrade mails that were outdated before they could be
   * sent.
   */
  givenUpMails: ReadonlyMap<string, SentReminder[]>;
}

export async function readRows(db: Database): Promise<DayRows> {
  const subscriptions = new Map<string, SubscriptionRow[]>();
  const rows = await db
    .select({ row: tables.subscriptions, providerPrice: tables.prices.priceId })
    .from(tables.subscriptions)
    .leftJoin(tables.prices, eq(tables.prices.id, tables.subscriptions.priceId));
  for (const { row, providerPrice } of rows)
    subscriptions.set(row.userId, [...(subscriptions.get(row.userId) ?? []), { ...row, providerPrice }]);

  const acts = new Map<string, Map<string, number>>();
  const logged = await db
    .select({ userId: auditLog.subjectId, act: auditLog.act, times: count() })
    .from(auditLog)
    .groupBy(auditLog.subjectId, auditLog.act);
  for (const { userId, act, times } of logged)
    acts.set(userId, (acts.get(userId) ?? new Map<string, number>()).set(act, times));

  const changes = await db
    .selectDistinctOn([auditLog.subjectId], { userId: auditLog.subjectId, details: auditLog.details })
    .from(auditLog)
    .where(eq(auditLog.act, 'plan_changed'))
    .orderBy(auditLog.subjectId, desc(auditLog.at));
  const used = await db
    .select({ userId: sql<string>`${aiUsage.userId}`, seconds: sum(aiUsage.seconds) })
    .from(aiUsage)
    .where(isNotNull(aiUsage.userId))
    .groupBy(aiUsage.userId);
  const gaveUp = new Map<string, SentReminder[]>();
  const unsent = await db
    .select({ userId: mails.userId, kind: mails.kind, step: mails.step, at: mails.nextTryAt })
    .from(mails)
    .where(
      or(
        and(eq(mails.state, 'failed'), gte(mails.tries, MAX_ATTEMPTS)),
        and(eq(mails.state, 'suppressed'), inArray(mails.kind, ['plan_upgrade', 'goodbye', 'trial_ending'])),
      ),
    );
  for (const { userId, kind, step, at } of unsent)
    if (userId !== null) gaveUp.set(userId, [...(gaveUp.get(userId) ?? []), { kind, step, atMs: at.getTime() }]);
  return {
    givenUpMails: gaveUp,
    users: new Set((await db.select({ userId: tables.users.userId }).from(tables.users)).map(({ userId }) => userId)),
    subscriptions,
    acts,
    lastPlan: new Map(
      changes.map(({ userId, details }) => [userId, { plan: details['plan'], status: details['status'] }]),
    ),
    seconds: new Map(used.map(({ userId, seconds }) => [userId, Number(seconds ?? 0)])),
    addresses: new Set((await db.selectDistinct({ to: mails.to }).from(mails)).map(({ to }) => to)),
  };
}
