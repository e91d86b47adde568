/** Which plan a learner is on now. */
import { minutesPeriodOf, planOf, type PlanType } from '@parley/domain';
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
    if (subscription === undefined) return { plan: 'FREE', periodStart: null };
    return { plan: planOf(subscription, now()), periodStart: minutesPeriodOf(subscription, now()).startsAt };
  };
