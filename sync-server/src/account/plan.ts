/** Which plan a learner is on now. */
import { planOf, type PlanType } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';

export interface PlanState {
  plan: PlanType;
  /** Since when its use is counted; null for a plan without periods of its own. */
  periodStart: Date | null;
}

export const planReader =
  ({ db, now }: { db: Database; now: () => Date }) =>
  async (userId: string): Promise<PlanState> => {
    const { subscriptions } = tables;
    const [subscription] = await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)));
    return { plan: planOf(subscription ?? null, now()), periodStart: subscription?.currentPeriodStart ?? null };
  };
