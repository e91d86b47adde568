/** Reads subscriptions together with the fields that are not synced to devices. */
import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { pendingPlanChanges, tables } from '../../db/tables.ts';

export type StoredSubscription = typeof tables.subscriptions.$inferSelect &
  Omit<typeof pendingPlanChanges.$inferSelect, 'userId'>;

const NO_PENDING_CHANGE = {
  nextPriceId: null,
  nextAt: null,
  endsWithAccount: false,
  isPeriodUnpaid: false,
  pastDueSince: null,
  paidPlan: null,
  paidUntil: null,
};

export async function readStoredSubscriptions(db: Database, where: SQL): Promise<StoredSubscription[]> {
  const { subscriptions } = tables;
  const rows = await db
    .select({ row: subscriptions, pendingChange: pendingPlanChanges })
    .from(subscriptions)
    .leftJoin(pendingPlanChanges, eq(pendingPlanChanges.userId, subscriptions.userId))
    .where(and(where, isNull(subscriptions.deletedAt)));
  return rows.map(({ row, pendingChange }) => ({ ...(pendingChange ?? NO_PENDING_CHANGE), ...row }));
}
