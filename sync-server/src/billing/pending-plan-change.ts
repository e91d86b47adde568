/** Stores the pending change of a learner's plan as the provider reports it, beside the row that syncs to devices. */
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { pendingPlanChanges } from '../db/tables.ts';
import type { ProviderSubscription } from '../ports/payments/index.ts';

type PendingPlanChange = Omit<typeof pendingPlanChanges.$inferSelect, 'userId'>;

export async function savePendingPlanChange(tx: Database, userId: string, of: ProviderSubscription): Promise<void> {
  const pendingChange = toPendingPlanChange(of);
  await tx
    .insert(pendingPlanChanges)
    .values({ userId, ...pendingChange })
    .onConflictDoUpdate({ target: pendingPlanChanges.userId, set: pendingChange });
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
