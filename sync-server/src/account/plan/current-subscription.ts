/** Reads a learner's current subscription with its pending plan change. */
import { cancellationDate, type RunningPlan } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { pendingPlanChanges, tables } from '../../db/tables.ts';

type Subscription = typeof tables.subscriptions.$inferSelect;

export interface CurrentSubscription extends RunningPlan {
  row: Subscription;
  /** The provider's price that replaces the current one, and when it does. */
  next: { priceId: string; at: Date } | null;
}

/** Null when there is no subscription, or only one that has ended. */
export async function readCurrentSubscription(db: Database, userId: string): Promise<CurrentSubscription | null> {
  const { subscriptions } = tables;
  const [held] = await db
    .select({ row: subscriptions, pendingChange: pendingPlanChanges })
    .from(subscriptions)
    .leftJoin(pendingPlanChanges, eq(pendingPlanChanges.userId, subscriptions.userId))
    .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)));
  if (held === undefined) return null;
  const { row, pendingChange } = held;
  const { nextPriceId = null, nextAt = null, endsWithAccount = false, isPeriodUnpaid = false } = pendingChange ?? {};
  return {
    row,
    status: row.status,
    currentPeriodEnd: row.currentPeriodEnd,
    endsAt: cancellationDate(row),
    endsWithAccount,
    isPeriodUnpaid,
    next: nextPriceId === null || nextAt === null ? null : { priceId: nextPriceId, at: nextAt },
  };
}
