/** Starts a subscription with its trial or its first invoice. */
import { newSubscription, type NewSubscriptionFields } from '../objects/subscription.ts';
import { invalidRequest, cardDeclined, unsupportedByFake } from '../api-error.ts';
import type { PriceObject, SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { nextPeriodEnd, type BillingInterval } from './calendar.ts';
import { findCard, isDeclining } from './cards.ts';
import { isEnded } from './end-subscription.ts';
import { draftInvoice, finalizeInvoice } from './invoices.ts';
import { priceAmount, periodLine, currentPeriod } from './invoice-lines.ts';
import { settleInvoice } from './attempt-payment.ts';

export type SubscriptionStart = Omit<NewSubscriptionFields, 'periodEnd' | 'now'> & {
  behavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
};

export function startSubscription(store: StripeStore, start: SubscriptionStart): SubscriptionObject {
  const now = store.currentFields();
  const { price, trialEnd, behavior } = start;
  const periodEnd = trialEnd ?? nextPeriodEnd(now, getBillingInterval(price), now);
  const subscription = newSubscription({ ...start, periodEnd, now });
  if (trialEnd === null && behavior !== 'default_incomplete') assertPayable(store, subscription, start);
  store.add('subscription', subscription);
  const isTrial = trialEnd !== null;
  const invoice = draftInvoice(store, subscription, {
    reason: 'subscription_create',
    period: isTrial ? currentPeriod(subscription) : { start: now, end: now },
    finalizesAt: null,
    lines: [periodLine(store, subscription, { isTrial })],
  });
  subscription.latest_invoice = invoice.id;
  store.emit('customer.subscription.created', subscription);
  setCustomerCurrency(store, subscription);
  if (behavior === 'default_incomplete') finalizeInvoice(store, invoice.id);
  else settleInvoice(store, invoice.id);
  return store.get('subscription', subscription.id);
}

export const getBillingInterval = ({ id, recurring }: PriceObject): BillingInterval => {
  if (recurring === null) throw invalidRequest(`The price ${id} is not recurring.`, { param: 'items' });
  return recurring;
};

/** Stripe does not start a subscription without a card, nor, with `error_if_incomplete`, one whose payment fails. */
function assertPayable(
  store: StripeStore,
  subscription: SubscriptionObject,
  { behavior, price, quantity }: SubscriptionStart,
): void {
  if (priceAmount(price, quantity) === 0) return;
  const card = findCard(store, subscription);
  if (card === undefined)
    throw invalidRequest('This customer has no attached payment method and no default one.', {
      code: 'resource_missing',
    });
  if (behavior === 'error_if_incomplete' && isDeclining(store, card)) throw cardDeclined();
}

const setCustomerCurrency = (store: StripeStore, { customer, currency }: SubscriptionObject): void =>
  void store.update('customer', customer, null, (known) => {
    known.currency = currency;
  });

/** Stripe does not run subscriptions of one customer in two currencies. */
export function assertSameCurrency(store: StripeStore, customer: string, { currency }: PriceObject): void {
  const other = store
    .all('subscription')
    .find((known) => known.customer === customer && !isEnded(known) && known.currency !== currency);
  if (other !== undefined)
    throw invalidRequest(
      `You cannot combine currencies on a single customer. This customer has a subscription with currency ${other.currency}.`,
    );
}

/** Accepts one price of one recurring product. Stripe accepts more than the fake models. */
export function resolvePrice(
  store: StripeStore,
  items: readonly { price?: string }[] | undefined,
  param: string,
): PriceObject {
  if (items === undefined || items.length === 0)
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  if (items.length > 1) throw unsupportedByFake('more than one item of a subscription', param);
  const id = items[0]?.price;
  if (id === undefined)
    throw invalidRequest(`Missing required param: ${param}[0][price].`, {
      code: 'parameter_missing',
      param: `${param}[0][price]`,
    });
  const price = store.getByParam('price', id, `${param}[0][price]`);
  if (!price.active)
    throw invalidRequest(`The price ${id} is not active.`, { code: 'price_inactive', param: `${param}[0][price]` });
  getBillingInterval(price);
  return price;
}
