/** Converts Stripe's objects to the payment port's types. */
import {
  isRunning,
  type PlanType,
  PRICING_INTERVALS,
  PRICING_TYPES,
  SOLD_PLANS,
  SUBSCRIPTION_STATUSES,
} from '@parley/domain';
import type { Stripe } from 'stripe';
import {
  INVOICE_STATES,
  type InvoiceCharge,
  type PaidInvoice,
  type ProviderEvent,
  type ProviderPrice,
  type ProviderProduct,
  type ProviderSubscription,
} from '../../ports/payments/index.ts';
import { isCancelledWithAccount, plannedChange } from './cancel-with-account.ts';

const toDate = (atS: number | null | undefined): Date | null =>
  typeof atS === 'number' ? new Date(atS * 1_000) : null;
export const toId = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** Stripe may add values to this list that we do not know. */
const findKnown = <Known extends string>(all: readonly Known[], value: string | null | undefined): Known | null =>
  all.find((known) => known === value) ?? null;

/** A product names its plan in its metadata; a product without one is not ours. FREE and the free week are not sold. */
export function planOfProduct({ metadata }: Pick<Stripe.Product, 'metadata'>): PlanType | null {
  return findKnown(SOLD_PLANS, metadata['plan']);
}

export const toProduct = (product: Stripe.Product): ProviderProduct => ({
  id: product.id,
  active: product.active,
  name: product.name,
  description: product.description,
  isTest: !product.livemode,
});

/** Returns null for a price without a fixed amount, because its cost cannot be shown in advance. */
export function toPrice(price: Stripe.Price, plan: PlanType): ProviderPrice | null {
  const productId = toId(price.product);
  const pricingType = findKnown(PRICING_TYPES, price.type);
  if (price.unit_amount === null || productId === null || pricingType === null) return null;
  return {
    id: price.id,
    productId,
    active: price.active,
    description: price.nickname,
    unitAmount: price.unit_amount,
    currency: price.currency,
    pricingType,
    interval: findKnown(PRICING_INTERVALS, price.recurring?.interval),
    intervalCount: price.recurring?.interval_count ?? null,
    plan,
    isTest: !price.livemode,
  };
}

/** In this version of Stripe the period is stored on the item. Paused collection gives no access, whatever the status says. */
export function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const [item] = subscription.items.data;
  const status = findKnown(SUBSCRIPTION_STATUSES, subscription.status) ?? 'incomplete';
  const next = plannedChange(subscription);
  const isPaused = subscription.pause_collection !== null && (status === 'active' || status === 'trialing');
  return {
    id: subscription.id,
    customerId: toId(subscription.customer) ?? '',
    status: isPaused ? 'paused' : status,
    priceId: item?.price.id ?? null,
    quantity: item?.quantity ?? null,
    cancelAt: toDate(subscription.cancel_at),
    // The portal sets the exact time and other clients set the end of the period; both mean the same for a learner.
    cancelAtPeriodEnd:
      subscription.cancel_at_period_end ||
      (subscription.cancel_at !== null && subscription.cancel_at === item?.current_period_end),
    canceledAt: toDate(subscription.canceled_at),
    currentPeriodStart: toDate(item?.current_period_start),
    currentPeriodEnd: toDate(item?.current_period_end),
    endedAt: toDate(subscription.ended_at),
    createdAt: toDate(subscription.created) ?? new Date(0),
    next: next === null ? null : { priceId: next.priceId, at: new Date(next.atS * 1_000) },
    endsWithAccount: isCancelledWithAccount(subscription),
    isPeriodUnpaid: isRunning(status) && isUnpaid(subscription.latest_invoice),
  };
}

/** Returns false when the invoice was not expanded. */
const isUnpaid = (invoice: Stripe.Subscription['latest_invoice']): boolean =>
  invoice !== null && typeof invoice !== 'string' && (invoice.status === 'draft' || invoice.status === 'open');

export const toInvoice = (invoice: Stripe.Invoice): InvoiceCharge => ({
  id: invoice.id ?? '',
  number: invoice.number,
  at: toDate(invoice.created) ?? new Date(0),
  amount: invoice.total,
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  currency: invoice.currency,
  status: findKnown(INVOICE_STATES, invoice.status) ?? 'draft',
  url: invoice.hosted_invoice_url ?? null,
});

/** A late payment may follow days after the invoice was created. */
const toPaidInvoice = (invoice: Stripe.Invoice): PaidInvoice => ({
  ...toInvoice(invoice),
  at: toDate(invoice.status_transitions.paid_at ?? invoice.created) ?? new Date(0),
  priceId: mainPriceId(invoice),
});

/** After a plan change, an invoice also has a line that credits the rest of the former plan. */
function mainPriceId({ lines }: Stripe.Invoice): string | null {
  const [largest] = lines.data.toSorted((a, b) => b.amount - a.amount);
  return toId(largest?.pricing?.price_details?.price ?? null);
}

export function toEvent(event: Stripe.Event): ProviderEvent {
  const { id, type } = event;
  const noChange = { id, type, paid: null, trialEnds: null };
  if (type.startsWith('product.') || type.startsWith('price.')) return { ...noChange, about: { what: 'catalogue' } };
  const customerId = customerIdOf(event.data.object);
  if (customerId === null) return { ...noChange, about: { what: 'nothing' } };
  return {
    id,
    type,
    about: { what: 'customer', customerId },
    paid: event.type === 'invoice.paid' ? toPaidInvoice(event.data.object) : null,
    trialEnds: event.type === 'customer.subscription.trial_will_end' ? toDate(event.data.object.trial_end) : null,
  };
}

function customerIdOf(object: Stripe.Event.Data.Object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id);
  return 'customer' in object ? toId(object.customer as string | { id: string } | null) : null;
}
