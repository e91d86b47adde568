/** The actions of the billing portal's buttons. */
import { createScheduleFor } from '../api/schedules.ts';
import { updateSubscription } from '../api/update-subscription.ts';
import { attachCard } from '../billing/cards.ts';
import { isEnded } from '../billing/end-subscription.ts';
import { attemptPayment } from '../billing/attempt-payment.ts';
import { resumeSubscription } from '../billing/renew.ts';
import { nextPeriodEnd } from '../billing/calendar.ts';
import { releaseSchedule } from '../billing/schedules.ts';
import { getBillingInterval } from '../billing/start-subscription.ts';
import { newCard } from '../objects/customer.ts';
import { newPhase } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import { invalidRequest } from '../api-error.ts';
import type { PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';

export const PORTAL_ACTIONS = ['cancel', 'keep', 'resume', 'switch', 'add_card', 'add_declining_card'] as const;
export type PortalAction = (typeof PORTAL_ACTIONS)[number];

export function applyPortalAction(
  store: StripeStore,
  customer: string,
  { action, form }: { action: PortalAction; form: URLSearchParams },
): void {
  if (action === 'add_card' || action === 'add_declining_card')
    return changeCard(store, customer, { declines: action === 'add_declining_card' });
  const subscription = store.find('subscription', form.get('subscription') ?? '');
  if (subscription === undefined || subscription.customer !== customer || isEnded(subscription))
    throw invalidRequest('There is no such subscription.');
  const { id } = subscription;
  if (action === 'resume') return void resumeSubscription(store, id);
  if (action === 'switch') return switchPlan(store, subscription, store.get('price', form.get('price') ?? ''));
  if (subscription.schedule !== null) releaseSchedule(store, subscription.schedule);
  // Stripe's portal in flexible billing sets a moment and leaves `cancel_at_period_end` false.
  updateSubscription(store, { cancel_at: action === 'cancel' ? 'min_period_end' : '' }, id);
}

/** The new card is charged for open invoices. */
function changeCard(store: StripeStore, customer: string, { declines }: { declines: boolean }): void {
  const { email } = store.get('customer', customer);
  const card = newCard(customer, { email, now: store.currentFields() });
  if (declines) store.state.decliningCards[card.id] = true;
  attachCard(store, card, { customer, isDefault: true });
  for (const subscription of store.all('subscription'))
    if (subscription.customer === customer && !isEnded(subscription) && subscription.default_payment_method !== null)
      updateSubscription(store, { default_payment_method: card.id }, subscription.id);
  for (const { id, customer: owner, status } of store.all('invoice'))
    if (owner === customer && status === 'open' && !declines) attemptPayment(store, id);
}

/** A more expensive plan starts and is paid at once, a cheaper one at the end of the period. */
function switchPlan(store: StripeStore, subscription: SubscriptionObject, price: PriceObject): void {
  const item = onlyItem(subscription);
  if (subscription.schedule !== null) releaseSchedule(store, subscription.schedule);
  const isImmediate = subscription.status === 'trialing' || yearlyAmount(price) > yearlyAmount(item.price);
  if (isImmediate) {
    const items = [{ id: item.id, price: price.id }];
    updateSubscription(store, { items, proration_behavior: 'always_invoice' }, subscription.id);
    return;
  }
  const { id } = createScheduleFor(store, subscription, {});
  const start = item.current_period_end;
  const end = nextPeriodEnd(start, getBillingInterval(price), start);
  const next = newPhase(subscription, { price: price.id, quantity: item.quantity, start, end, proration: 'none' });
  store.update('subscription_schedule', id, 'subscription_schedule.updated', ({ phases }) => void phases.push(next));
}

const INTERVALS_PER_YEAR: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 };

function yearlyAmount(price: PriceObject): number {
  const { interval, interval_count: count } = getBillingInterval(price);
  return ((price.unit_amount ?? 0) * (INTERVALS_PER_YEAR[interval] ?? 1)) / count;
}
