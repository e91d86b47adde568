/** Reads which plan a learner is on now. */
import { meteringPeriod, effectivePlan, type PlanType } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { readStoredSubscriptions } from './stored-subscriptions.ts';

export interface PlanState {
  plan: PlanType;
  /** The current usage period; null for a plan without one. */
  periodStart: Date | null;
  periodEnd: Date | null;
}

export const createPlanReader =
  ({ db, now }: { db: Database; now: () => Date }) =>
  async (userId: string): Promise<PlanState> => {
    const [subscription] = await readStoredSubscriptions(db, eq(tables.subscriptions.userId, userId));
    if (subscription === undefined) return { plan: 'FREE', periodStart: null, periodEnd: null };
    const { startsAt, endsAt } = meteringPeriod(subscription, now());
    return { plan: effectivePlan(subscription, now()), periodStart: startsAt, periodEnd: endsAt };
  };
