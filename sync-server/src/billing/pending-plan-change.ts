/**
 * Stores the pending change of a learner's plan and the state of its payments, next to the row that syncs to devices.
 */
import type { PaymentState, PlanType } from '@parley/domain';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { pendingPlanChanges } from '../db/tables.ts';
import type { ProviderSubscription } from '../ports/payments/index.ts';

type PendingPlanChange = Omit<typeof pendingPlanChanges.$inferSelect, 'userId' | keyof PaymentState>;

export const isPeriodPaid = ({ status, isPeriodUnpaid }: ProviderSubscription): boolean =>
  status === 'active' && !isPeriodUnpaid;

/** Returns the state of the payments. */
export async function savePendingPlanChange(
  tx: Database,
  userId: string,
  { current, planType, now }: { current: ProviderSubscription; planType: PlanType; now: Date },
): Promise<PaymentState> {
  const [known] = await tx.select().from(pendingPlanChanges).where(eq(pendingPlanChanges.userId, userId));
  const isPaid = isPeriodPaid(current);
  const payments: PaymentState = {
    // The status stays `past_due` while the provider begins new periods, so the time of the first failure is kept.
    pastDueSince: current.status === 'past_due' ? (known?.pastDueSince ?? now) : null,
    paidPlan: isPaid ? planType : (known?.paidPlan ?? null),
    paidUntil: isPaid ? current.currentPeriodEnd : (known?.paidUntil ?? null),
  };
  const stored = { ...toPendingPlanChange(current), ...payments };
  await tx
    .insert(pendingPlanChanges)
    .values({ userId, ...stored })
    .onConflictDoUpdate({ target: pendingPlanChanges.userId, set: stored });
  return payments;
}

/** Adds a date to late payments that an earlier server version stored without one. */
export async function dateLatePayments(db: Database, userIds: string[], now: Date): Promise<void> {
  if (userIds.length === 0) return;
  await db
    .insert(pendingPlanChanges)
    .values(userIds.map((userId) => ({ userId, endsWithAccount: false, pastDueSince: now })))
    .onConflictDoUpdate({
      target: pendingPlanChanges.userId,
      set: { pastDueSince: sql`coalesce(${pendingPlanChanges.pastDueSince}, excluded.past_due_since)` },
    });
}

export const deletePendingPlanChange = async (tx: Database, userId: string): Promise<void> =>
  void (await tx.delete(pendingPlanChanges).where(eq(pendingPlanChanges.userId, userId)));

export function isSamePendingPlanChange(noted: PendingPlanChange | null, current: ProviderSubscription): boolean {
  const pendingChange = toPendingPlanChange(current);
  return (
    (noted?.nextPriceId ?? null) === pendingChange.nextPriceId &&
    (noted?.nextAt?.getTime() ?? null) === (pendingChange.nextAt?.getTime() ?? null) &&
    (noted?.endsWithAccount ?? false) === pendingChange.endsWithAccount &&
    (noted?.isPeriodUnpaid ?? false) === pendingChange.isPeriodUnpaid
  );
}

const toPendingPlanChange = ({ next, endsWithAccount, isPeriodUnpaid }: ProviderSubscription): PendingPlanChange => ({
  nextPriceId: next?.priceId ?? null,
  nextAt: next?.at ?? null,
  endsWithAccount,
  isPeriodUnpaid,
});
