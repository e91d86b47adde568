/** What Stripe says, in our words. */
import {
  isRunning,
  PLAN_TYPES,
  type PlanType,
  PRICING_INTERVALS,
  PRICING_TYPES,
  SUBSCRIPTION_STATUSES,
} from '@parley/domain';
import type { Stripe } from 'stripe';
import {
  INVOICE_STATES,
  type InvoiceCharge,
  type ProviderEvent,
  type ProviderPrice,
  type ProviderProduct,
  type ProviderSubscription,
} from '../../payments/index.ts';
import { isEndedWithAccount, plannedChange } from './end-with-account.ts';

const dateOf = (atS: number | null | undefined): Date | null =>
  typeof atS === 'number' ? new Date(atS * 1_000) : null;
export const idOf = (held: string | { id: string } | null): string | null =>
  typeof held === 'string' ? held : (held?.id ?? null);

/** Of a list that Stripe may make longer than we know it. */
const knownOf = <Known extends string>(all: readonly Known[], said: string | null | undefined): Known | null =>
  all.find((known) => known === said) ?? null;

/** A product says in its metadata which plan it is; one that says nothing is none of ours. */
export function planOfProduct({ metadata }: Pick<Stripe.Product, 'metadata'>): PlanType | null {
  return knownOf(PLAN_TYPES, metadata['plan']);
}

export const toProduct = (product: Stripe.Product): ProviderProduct => ({
  id: product.id,
  active: product.active,
  name: product.name,
  description: product.description,
  isTest: !product.livemode,
});

/** Null for a price that is not one amount: nobody can be told beforehand what it costs. */
export function toPrice(price: Stripe.Price, plan: PlanType): ProviderPrice | null {
  const productId = idOf(price.product);
  const pricingType = knownOf(PRICING_TYPES, price.type);
  if (price.unit_amount === null || productId === null || pricingType === null) return null;
  return {
    id: price.id,
    productId,
    active: price.active,
    description: price.nickname,
    unitAmount: price.unit_amount,
    currency: price.currency,
    pricingType,
    interval: knownOf(PRICING_INTERVALS, price.recurring?.interval),
    intervalCount: price.recurring?.interval_count ?? null,
    plan,
    isTest: !price.livemode,
  };
}

/** The period stands on the item, in this version of Stripe. Collection that is paused gives nothing, whatever the status says. */
export function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const [item] = subscription.items.data;
  const status = knownOf(SUBSCRIPTION_STATUSES, subscription.status) ?? 'incomplete';
  const next = plannedChange(subscription);
  const isPaused = subscription.pause_collection !== null && (status === 'active' || status === 'trialing');
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    status: isPaused ? 'paused' : status,
    priceId: item?.price.id ?? null,
    quantity: item?.quantity ?? null,
    cancelAt: dateOf(subscription.cancel_at),
    // The portal names the moment, others the period's end; a learner sees one and the same.
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end ||
      (subscription.cancel_at !== null && subscription.cancel_at === item?.current_period_end),
    canceledAt: dateOf(subscription.canceled_at),
    currentPeriodStart: dateOf(item?.current_period_start),
    currentPeriodEnd: dateOf(item?.current_period_end),
    endedAt: dateOf(subscription.ended_at),
    createdAt: dateOf(subscription.created) ?? new Date(0),
    next: next === null ? null : { priceId: next.priceId, at: new Date(next.atS * 1_000) },
    endsWithAccount: isEndedWithAccount(subscription),
    isPeriodUnpaid: isRunning(status) && isToBePaid(subscription.latest_invoice),
  };
}

/** False where the invoice was not asked for. */
const isToBePaid = (invoice: Stripe.Subscription['latest_invoice']): boolean =>
  invoice !== null && typeof invoice !== 'string' && (invoice.status === 'draft' || invoice.status === 'open');

export const toInvoice = (invoice: Stripe.Invoice): InvoiceCharge => ({
  id: invoice.id ?? '',
  number: invoice.number,
  at: dateOf(invoice.created) ?? new Date(0),
  amount: invoice.total,
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  currency: invoice.currency,
  status: knownOf(INVOICE_STATES, invoice.status) ?? 'draft',
  url: invoice.hosted_invoice_url ?? null,
});

export function toEvent(event: Stripe.Event): ProviderEvent {
  const { id, type } = event;
  const nothing = { id, type, paid: null, trialEnds: null };
  if (type.startsWith('product.') || type.startsWith('price.')) return { ...nothing, about: { what: 'catalogue' } };
  const customerId = customerOf(event.data.object);
  if (customerId === null) return { ...nothing, about: { what: 'nothing' } };
  return {
    id,
    type,
    about: { what: 'customer', customerId },
    paid: event.type === 'invoice.paid' ? toInvoice(event.data.object) : null,
    trialEnds: event.type === 'customer.subscription.trial_will_end' ? dateOf(event.data.object.trial_end) : null,
  };
}

function customerOf(object: Stripe.Event.Data.Object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id);
  return 'customer' in object ? idOf(object.customer as string | { id: string } | null) : null;
}
