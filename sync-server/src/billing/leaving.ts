/** Who has asked to be erased, or lost access, is not charged again: the plan ends with what is paid for, and goes on when that is undone. */
import { endOf, isRenewed, isRunning } from '@parley/domain';
import { isAccessTaken, isLeaving, readAccessTaken, readLeaving } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { PaymentFailure, type Payments, type ProviderSubscription } from '../payments/index.ts';

/** Whether a plan would be paid for that gives nothing, or soon will. */
export const isToEnd = async (db: Database, userId: string): Promise<boolean> =>
  (await isLeaving(db, userId)) || (await isAccessTaken(db, userId));

/** All whose plans would. */
export const readToEnd = async (db: Database): Promise<ReadonlySet<string>> =>
  new Set([...(await readLeaving(db)), ...(await readAccessTaken(db))]);

export type DueChange = 'end' | 'go_on';

/** Null: it is as it should be. An end that the learner chose is none of ours to take back. */
export function dueChange(subscription: ProviderSubscription, mustEnd: boolean): DueChange | null {
  if (mustEnd) return isRenewed({ ...subscription, endsAt: endOf(subscription) }) ? 'end' : null;
  return subscription.endsWithAccount && isRunning(subscription.status) ? 'go_on' : null;
}

/** Whether the provider has something new to say afterwards. One that it will not change is left as it is. */
export async function makeChanges(
  payments: Payments,
  all: readonly ProviderSubscription[],
  { mustEnd, refused }: { mustEnd: boolean; refused: (subscriptionId: string) => void },
): Promise<boolean> {
  let hasChanged = false;
  for (const subscription of all) {
    const change = dueChange(subscription, mustEnd);
    if (change === null) continue;
    try {
      await (change === 'end' ? payments.endWithAccount(subscription.id) : payments.goOn(subscription.id));
      hasChanged = true;
    } catch (error) {
      if (!(error instanceof PaymentFailure) || error.reason !== 'refused') throw error;
      refused(subscription.id);
    }
  }
  return hasChanged;
}
