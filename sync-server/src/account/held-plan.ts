/** The subscription that a learner has, and what is to become of it. */
import { endOf, type RunningPlan } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { planOutlooks, tables } from '../db/tables.ts';

type Subscription = typeof tables.subscriptions.$inferSelect;

export interface HeldPlan extends RunningPlan {
  row: Subscription;
  /** The provider's price that takes the place of this one, and when. */
  next: { priceId: string; at: Date } | null;
}

/** Null: none, or one that is over and put away. */
export async function readHeldPlan(db: Database, userId: string): Promise<HeldPlan | null> {
  const { subscriptions } = tables;
  const [held] = await db
    .select({ row: subscriptions, outlook: planOutlooks })
    .from(subscriptions)
    .leftJoin(planOutlooks, eq(planOutlooks.userId, subscriptions.userId))
    .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)));
  if (held === undefined) return null;
  const { row, outlook } = held;
  const { nextPriceId = null, nextAt = null, endsWithAccount = false, isPeriodUnpaid = false } = outlook ?? {};
  return {
    row,
    status: row.status,
    currentPeriodEnd: row.currentPeriodEnd,
    endsAt: endOf(row),
    endsWithAccount,
    isPeriodUnpaid,
    next: nextPriceId === null || nextAt === null ? null : { priceId: nextPriceId, at: nextAt },
  };
}
