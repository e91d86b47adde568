/** Reads a learner's current subscription with its pending plan change. */
import { cancellationDate, type RunningPlan } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { tables } from '../../db/tables.ts';
import { readStoredSubscriptions, type StoredSubscription } from './stored-subscriptions.ts';

export interface CurrentSubscription extends RunningPlan {
  row: StoredSubscription;
  /** The provider's id of the price that replaces the current one, and when it does. */
  next: { priceId: string; at: Date } | null;
}

/** Null when there is no subscription, or only one that has ended. */
export async function readCurrentSubscription(db: Database, userId: string): Promise<CurrentSubscription | null> {
  const [row] = await readStoredSubscriptions(db, eq(tables.subscriptions.userId, userId));
  if (row === undefined) return null;
  const { nextPriceId, nextAt } = row;
  return {
    row,
    status: row.status,
    currentPeriodEnd: row.currentPeriodEnd,
    endsAt: cancellationDate(row),
    endsWithAccount: row.endsWithAccount,
    isPeriodUnpaid: row.isPeriodUnpaid,
    next: nextPriceId === null || nextAt === null ? null : { priceId: nextPriceId, at: nextAt },
  };
}
