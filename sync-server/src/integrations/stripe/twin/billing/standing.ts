/** What a paid or an unpaid invoice does to its subscription. */
import type { InvoiceObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { days } from './calendar.ts';
import { endSubscription } from './end.ts';

/** Of the first attempt, the second and so on: three weeks in all. */
const RETRY_AFTER_DAYS = [3, 5, 7, 6];

export function restoreSubscription(world: World, id: string): void {
  const { status, customer } = world.get('subscription', id);
  const isOwing = world
    .all('invoice')
    .some((invoice) => invoice.status === 'open' && invoice.parent?.subscription_details?.subscription === id);
  if (isOwing) return;
  if (status === 'incomplete' || status === 'past_due' || status === 'unpaid')
    world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'active';
    });
  if (status === 'paused') {
    const resumed = world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'active';
    });
    world.emit('customer.subscription.resumed', resumed);
  }
  setDelinquent(world, customer, false);
}

/** When the next attempt is, null after the last; told to the invoice before it is announced as failed. */
export function nextAttemptAt(world: World, { billing_reason: reason, attempt_count: count }: InvoiceObject) {
  // Of a first invoice nobody waits for the money: the subscription expires.
  if (reason === 'subscription_create') return null;
  const wait = RETRY_AFTER_DAYS[count - 1];
  return wait === undefined ? null : world.now() + days(wait);
}

export function sufferFailure(world: World, id: string, { isLast }: { isLast: boolean }): void {
  const { status, customer } = world.get('subscription', id);
  setDelinquent(world, customer, true);
  if (status === 'active' || status === 'trialing')
    world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'past_due';
    });
  if (!isLast || status === 'incomplete' || status === 'paused') return;
  if (world.settings.afterLastRetry === 'cancel') endSubscription(world, id, { reason: 'payment_failed' });
  if (world.settings.afterLastRetry === 'mark_unpaid')
    world.change('subscription', id, 'customer.subscription.updated', (subscription) => {
      subscription.status = 'unpaid';
    });
}

const setDelinquent = (world: World, id: string, isDelinquent: boolean): void => {
  if (world.find('customer', id) !== undefined)
    world.change('customer', id, 'customer.updated', (customer) => {
      customer.delinquent = isDelinquent;
    });
};
