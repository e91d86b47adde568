/**
 * Cancels a learner's plan when they request deletion or lose access, so that they are not charged again, and resumes it when that is
 * undone.
 */
import { cancellationDate, willRenew, isRunning } from '@parley/domain';
import {
  isAccessRevoked,
  isDeletionRequested,
  readRevokedUserIds,
  readDeletionRequestedUserIds,
} from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { PaymentFailure, type Payments, type ProviderSubscription } from '../ports/payments/index.ts';

/** Whether the learner would pay for a plan that they cannot use, or soon will not be able to use. */
export const mustCancel = async (db: Database, userId: string): Promise<boolean> =>
  (await isDeletionRequested(db, userId)) || (await isAccessRevoked(db, userId));

/** The ids of such learners, optionally only those about whom this was decided since a given time. */
export const readUserIdsToCancel = async (db: Database, since?: Date): Promise<ReadonlySet<string>> =>
  new Set([...(await readDeletionRequestedUserIds(db, since)), ...(await readRevokedUserIds(db, since))]);

export type RequiredChange = 'end' | 'go_on';

/** Null when the subscription is as it should be. A cancellation by the learner is never undone. */
export function requiredChange(subscription: ProviderSubscription, mustEnd: boolean): RequiredChange | null {
  if (mustEnd) return willRenew({ ...subscription, endsAt: cancellationDate(subscription) }) ? 'end' : null;
  return subscription.endsWithAccount && isRunning(subscription.status) ? 'go_on' : null;
}

/** Returns whether anything changed at the provider. A change that it refuses is reported and skipped. */
export async function applyRequiredChanges(
  payments: Payments,
  all: readonly ProviderSubscription[],
  { mustEnd, refused }: { mustEnd: boolean; refused: (subscriptionId: string) => void },
): Promise<boolean> {
  let hasChanged = false;
  for (const subscription of all) {
    const change = requiredChange(subscription, mustEnd);
    if (change === null) continue;
    try {
      await (change === 'end'
        ? payments.cancelWithAccount(subscription.id)
        : payments.resumeWithAccount(subscription.id));
      hasChanged = true;
    } catch (error) {
      if (!(error instanceof PaymentFailure) || error.reason !== 'refused') throw error;
      refused(subscription.id);
    }
  }
  return hasChanged;
}
