/** What the buttons of the billing portal do. */
import { planFor } from '../api/schedules.ts';
import { updateSubscription } from '../api/update-subscription.ts';
import { attachCard } from '../billing/cards.ts';
import { isEnded } from '../billing/end.ts';
import { attemptPayment } from '../billing/pay.ts';
import { resume } from '../billing/renew.ts';
import { nextPeriodEnd } from '../billing/calendar.ts';
import { releaseSchedule } from '../billing/schedules.ts';
import { rhythmOf } from '../billing/start.ts';
import { newCard } from '../objects/customer.ts';
import { newPhase } from '../objects/schedule.ts';
import { onlyItem } from '../objects/subscription.ts';
import { refuse } from '../refused.ts';
import type { PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';

export const portalActs = ['cancel', 'keep', 'resume', 'switch', 'add_card', 'add_declining_card'] as const;
export type PortalAct = (typeof portalActs)[number];

export function actInPortal(
  world: World,
  customer: string,
  { act, form }: { act: PortalAct; form: URLSearchParams },
): void {
  if (act === 'add_card' || act === 'add_declining_card')
    return changeCard(world, customer, { declines: act === 'add_declining_card' });
  const subscription = world.find('subscription', form.get('subscription') ?? '');
  if (subscription === undefined || subscription.customer !== customer || isEnded(subscription))
    throw refuse('There is no such subscription.');
  const { id } = subscription;
  if (act === 'resume') return void resume(world, id);
  if (act === 'switch') return switchPlan(world, subscription, world.get('price', form.get('price') ?? ''));
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
  // As Stripe's portal does in flexible billing: a moment is set, and `cancel_at_period_end` stays false.
  updateSubscription(world, { cancel_at: act === 'cancel' ? 'min_period_end' : '' }, id);
}

/** The new card is asked for what is owed. */
function changeCard(world: World, customer: string, { declines }: { declines: boolean }): void {
  const { email } = world.get('customer', customer);
  const card = newCard(customer, { email, now: world.now() });
  if (declines) world.state.decliningCards[card.id] = true;
  attachCard(world, card, { customer, isDefault: true });
  for (const subscription of world.all('subscription'))
    if (subscription.customer === customer && !isEnded(subscription) && subscription.default_payment_method !== null)
      updateSubscription(world, { default_payment_method: card.id }, subscription.id);
  for (const { id, customer: owner, status } of world.all('invoice'))
    if (owner === customer && status === 'open' && !declines) attemptPayment(world, id);
}

/** A dearer plan begins at once and is paid at once, a cheaper one at the end of the period. */
function switchPlan(world: World, subscription: SubscriptionObject, price: PriceObject): void {
  const item = onlyItem(subscription);
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
  const isAtOnce = subscription.status === 'trialing' || yearly(price) > yearly(item.price);
  if (isAtOnce) {
    const items = [{ id: item.id, price: price.id }];
    updateSubscription(world, { items, proration_behavior: 'always_invoice' }, subscription.id);
    return;
  }
  const { id } = planFor(world, subscription, {});
  const start = item.current_period_end;
  const end = nextPeriodEnd(start, rhythmOf(price), start);
  const next = newPhase(subscription, { price: price.id, quantity: item.quantity, start, end, proration: 'none' });
  world.change('subscription_schedule', id, 'subscription_schedule.updated', ({ phases }) => void phases.push(next));
}

const PER_YEAR: Readonly<Record<string, number>> = { day: 365, week: 52, month: 12, year: 1 };

function yearly(price: PriceObject): number {
  const { interval, interval_count: count } = rhythmOf(price);
  return ((price.unit_amount ?? 0) * (PER_YEAR[interval] ?? 1)) / count;
}
