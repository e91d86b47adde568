/** Whoever has asked to be erased is not charged again: their plan ends with what is paid for, and goes on when they keep the account. */
import { endOf, isRenewed, isRunning } from '@parley/domain';
import { PaymentFailure, type Payments, type ProviderSubscription } from '../payments/index.ts';

export type DueChange = 'end' | 'go_on';

/** Null: it is as it should be. An end that the learner chose is none of ours to take back. */
export function dueChange(subscription: ProviderSubscription, isLeaving: boolean): DueChange | null {
  if (isLeaving) return isRenewed({ ...subscription, endsAt: endOf(subscription) }) ? 'end' : null;
  return subscription.endsWithAccount && isRunning(subscription.status) ? 'go_on' : null;
}

/** Whether the provider has something new to say afterwards. One that it will not change is left as it is. */
export async function makeChanges(
  payments: Payments,
  all: readonly ProviderSubscription[],
  { isLeaving, refused }: { isLeaving: boolean; refused: (subscriptionId: string) => void },
): Promise<boolean> {
  let hasChanged = false;
  for (const subscription of all) {
    const change = dueChange(subscription, isLeaving);
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
