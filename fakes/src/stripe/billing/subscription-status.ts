/** Updates a subscription after a paid or failed invoice. */
import type { InvoiceObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { daysToSeconds } from './calendar.ts';
import { endSubscription } from './end-subscription.ts';

/** Days after the first attempt, the second and so on: three weeks in all. */
const RETRY_AFTER_DAYS = [3, 5, 7, 6];

export function restoreSubscription(store: StripeStore, id: string): void {
  const { status, customer } = store.get('subscription', id);
  const hasOpenInvoice = store
    .all('invoice')
    .some((invoice) => invoice.status === 'open' && invoice.parent?.subscription_details?.subscription === id);
  if (hasOpenInvoice) return;
  if (status === 'incomplete' || status === 'past_due' || status === 'unpaid')
    store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'active';
    });
  if (status === 'paused') {
    const resumed = store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'active';
    });
    store.emit('customer.subscription.resumed', resumed);
  }
  setDelinquent(store, customer, false);
}

/** Returns the next attempt, or null after the last. The invoice is updated with it before the failure is announced. */
export function nextAttemptAt(store: StripeStore, { billing_reason: reason, attempt_count: count }: InvoiceObject) {
  // A first invoice is not retried: the subscription expires.
  if (reason === 'subscription_create') return null;
  const wait = RETRY_AFTER_DAYS[count - 1];
  return wait === undefined ? null : store.currentFields() + daysToSeconds(wait);
}

export function handlePaymentFailure(
  store: StripeStore,
  id: string,
  { isFinalAttempt }: { isFinalAttempt: boolean },
): void {
  const { status, customer } = store.get('subscription', id);
  setDelinquent(store, customer, true);
  if (status === 'active' || status === 'trialing')
    store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'past_due';
    });
  if (!isFinalAttempt || status === 'incomplete' || status === 'paused') return;
  if (store.settings.afterLastRetry === 'cancel') endSubscription(store, id, { reason: 'payment_failed' });
  if (store.settings.afterLastRetry === 'mark_unpaid')
    store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'unpaid';
    });
}

const setDelinquent = (store: StripeStore, id: string, isDelinquent: boolean): void => {
  if (store.find('customer', id) !== undefined)
    store.update('customer', id, 'customer.updated', (customer) => {
      customer.delinquent = isDelinquent;
    });
};
