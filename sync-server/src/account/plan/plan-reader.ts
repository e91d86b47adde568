/** Reads which plan a learner is on now. */
import { meteringPeriod, effectivePlan, type PlanType } from '@parley/domain';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';

export interface PlanState {
  plan: PlanType;
  /** The start of the current usage period; null for a plan without one. */
  periodStart: Date | null;
}

export const createPlanReader =
  ({ db, now }: { db: Database; now: () => Date }) =>
  async (userId: string): Promise<PlanState> => {
    const { subscriptions } = tables;
    const [subscription] = await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.deletedAt)));
    if (subscription === undefined) return { plan: 'FREE', periodStart: null };
    return { plan: effectivePlan(subscription, now()), periodStart: meteringPeriod(subscription, now()).startsAt };
  };
