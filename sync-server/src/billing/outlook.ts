/** What is to become of a learner's plan, as the provider says it now: noted beside the row that their devices have. */
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { planOutlooks } from '../db/tables.ts';
import type { ProviderSubscription } from '../payments/index.ts';

type Outlook = Omit<typeof planOutlooks.$inferSelect, 'userId'>;

export async function noteOutlook(tx: Database, userId: string, of: ProviderSubscription): Promise<void> {
  const outlook = outlookOf(of);
  await tx
    .insert(planOutlooks)
    .values({ userId, ...outlook })
    .onConflictDoUpdate({ target: planOutlooks.userId, set: outlook });
}

export const forgetOutlook = async (tx: Database, userId: string): Promise<void> =>
  void (await tx.delete(planOutlooks).where(eq(planOutlooks.userId, userId)));

export function isSameOutlook(noted: Outlook | null, current: ProviderSubscription): boolean {
  const outlook = outlookOf(current);
  return (
    (noted?.nextPriceId ?? null) === outlook.nextPriceId &&
    (noted?.nextAt?.getTime() ?? null) === (outlook.nextAt?.getTime() ?? null) &&
    (noted?.endsWithAccount ?? false) === outlook.endsWithAccount &&
    (noted?.isPeriodUnpaid ?? false) === outlook.isPeriodUnpaid
  );
}

const outlookOf = ({ next, endsWithAccount, isPeriodUnpaid }: ProviderSubscription): Outlook => ({
  nextPriceId: next?.priceId ?? null,
  nextAt: next?.at ?? null,
  endsWithAccount,
  isPeriodUnpaid,
});
