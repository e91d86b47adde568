/** A subscription's first moment: its trial, or its first invoice. */
import { newSubscription, type Start } from '../objects/subscription.ts';
import { refuse, refuseCard, refuseUnmodelled } from '../refused.ts';
import type { PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { nextPeriodEnd, type Rhythm } from './calendar.ts';
import { cardOf, isDeclining } from './cards.ts';
import { draftInvoice, finalizeInvoice } from './invoices.ts';
import { amountOf, periodLine, periodOf } from './lines.ts';
import { settleInvoice } from './pay.ts';

export type Beginning = Omit<Start, 'periodEnd' | 'now'> & {
  behavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
};

export function startSubscription(world: World, beginning: Beginning): SubscriptionObject {
  const now = world.now();
  const { price, trialEnd, behavior } = beginning;
  const periodEnd = trialEnd ?? nextPeriodEnd(now, rhythmOf(price), now);
  const subscription = newSubscription({ ...beginning, periodEnd, now });
  if (trialEnd === null && behavior !== 'default_incomplete') expectCard(world, subscription, beginning);
  world.add('subscription', subscription);
  const isTrial = trialEnd !== null;
  const invoice = draftInvoice(world, subscription, {
    reason: 'subscription_create',
    period: isTrial ? periodOf(subscription) : { start: now, end: now },
    finalizesAt: null,
    lines: [periodLine(world, subscription, { isTrial })],
  });
  subscription.latest_invoice = invoice.id;
  world.emit('customer.subscription.created', subscription);
  setCurrency(world, subscription);
  if (behavior === 'default_incomplete') finalizeInvoice(world, invoice.id);
  else settleInvoice(world, invoice.id);
  return world.get('subscription', subscription.id);
}

export const rhythmOf = ({ id, recurring }: PriceObject): Rhythm => {
  if (recurring === null) throw refuse(`The price ${id} is not recurring.`, { param: 'items' });
  return recurring;
};

/** Stripe starts nothing that nobody can pay, and with `error_if_incomplete` nothing that is not paid. */
function expectCard(world: World, subscription: SubscriptionObject, { behavior, price, quantity }: Beginning): void {
  if (amountOf(price, quantity) === 0) return;
  const card = cardOf(world, subscription);
  if (card === undefined)
    throw refuse('This customer has no attached payment method and no default one.', { code: 'resource_missing' });
  if (behavior === 'error_if_incomplete' && isDeclining(world, card)) throw refuseCard();
}

const setCurrency = (world: World, { customer, currency }: SubscriptionObject): void =>
  void world.change('customer', customer, null, (known) => {
    known.currency = currency;
  });

/** One price of one recurring product; what Stripe allows beyond it the twin does not model. */
export function pickPrice(world: World, items: readonly { price?: string }[] | undefined, param: string): PriceObject {
  if (items === undefined || items.length === 0)
    throw refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  if (items.length > 1) throw refuseUnmodelled('more than one item of a subscription', param);
  const id = items[0]?.price;
  if (id === undefined)
    throw refuse(`Missing required param: ${param}[0][price].`, {
      code: 'parameter_missing',
      param: `${param}[0][price]`,
    });
  const price = world.named('price', id, `${param}[0][price]`);
  if (!price.active)
    throw refuse(`The price ${id} is not active.`, { code: 'price_inactive', param: `${param}[0][price]` });
  rhythmOf(price);
  return price;
}
