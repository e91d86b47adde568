/** Updates a running subscription: price, cancellation, trial and other fields. */
import { type PlannedChange, planPriceChange } from '../billing/change-price.ts';
import { isEnded } from '../billing/end-subscription.ts';
import { endTrial } from '../billing/renew.ts';
import { getBillingInterval } from '../billing/start-subscription.ts';
import { onlyItem } from '../objects/subscription.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import type { subscriptionUpdate } from '../params/subscriptions.ts';
import { invalidRequest, notFound, unsupportedByFake } from '../api-error.ts';
import type { SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { readTrialEnd } from './trial-end.ts';

type Params = ParamsOf<typeof subscriptionUpdate>;

export function updateSubscription(store: StripeStore, params: Params, id: string): SubscriptionObject {
  const before = store.get('subscription', id);
  validateUpdate(store, before, params);
  const planned = planItemChange(store, before, params);
  const updated = store.update('subscription', id, 'customer.subscription.updated', (subscription) => {
    planned?.apply(subscription);
    setCancellation(subscription, params, store.currentFields());
    setTrial(store, subscription, params);
    setOtherFields(subscription, params);
  });
  planned?.collect();
  if (params.trial_end === 'now' && updated.status === 'trialing') endTrial(store, id, { isEarly: true });
  return store.get('subscription', id);
}

function validateUpdate(store: StripeStore, before: SubscriptionObject, params: Params): void {
  const given = Object.keys(params).filter((name) => name !== 'expand');
  if (isEnded(before) && given.some((name) => name !== 'metadata' && name !== 'cancellation_details'))
    throw invalidRequest('Of an ended subscription only the metadata and the cancellation details can be changed.');
  if (params.cancel_at !== undefined && params.cancel_at_period_end !== undefined)
    throw invalidRequest('Only one of cancel_at and cancel_at_period_end can be given.', { param: 'cancel_at' });
  if (before.schedule !== null && (params.cancel_at !== undefined || params.cancel_at_period_end !== undefined))
    throw invalidRequest(
      `The subscription is managed by the schedule ${before.schedule}: its cancellation is changed or released there.`,
    );
  if (typeof params.cancel_at === 'number' && params.cancel_at <= store.currentFields())
    throw invalidRequest('A subscription can only be cancelled in the future.', { param: 'cancel_at' });
  const card = params.default_payment_method;
  if (
    card !== undefined &&
    store.getByParam('payment_method', card, 'default_payment_method').customer !== before.customer
  )
    throw invalidRequest(`The payment method ${card} is not attached to the customer.`, {
      param: 'default_payment_method',
    });
}

function planItemChange(store: StripeStore, before: SubscriptionObject, params: Params): PlannedChange | null {
  const startsCycle = params.billing_cycle_anchor?.type === 'now';
  const [item, ...more] = params.items ?? [];
  const known = onlyItem(before);
  if (item === undefined && !startsCycle) return null;
  // Without the item's id Stripe adds a second price instead of changing the first.
  if (more.length > 0 || (item !== undefined && item.id === undefined))
    throw unsupportedByFake('more than one item of a subscription (an item is changed by its id)', 'items');
  if (item?.id !== undefined && item.id !== known.id)
    throw notFound('subscription item', item.id, { param: 'items[0][id]', status: 400 });
  const price = item?.price === undefined ? known.price : store.getByParam('price', item.price, 'items[0][price]');
  getBillingInterval(price);
  if (!price.active && price.id !== known.price.id)
    throw invalidRequest(`The price ${price.id} is not active.`, { code: 'price_inactive', param: 'items[0][price]' });
  if (price.currency !== before.currency)
    throw invalidRequest('A subscription cannot change its currency.', { param: 'items[0][price]' });
  const itemMetadata = item?.metadata;
  const planned = planPriceChange(store, before, {
    price,
    quantity: item?.quantity ?? known.quantity,
    proration: params.proration_behavior ?? 'create_prorations',
    startsCycle,
    at: params.proration_date ?? store.currentFields(),
    onlyIfPaid: params.payment_behavior === 'error_if_incomplete',
  });
  return {
    ...planned,
    apply: (subscription) => {
      planned.apply(subscription);
      const changed = onlyItem(subscription);
      changed.metadata = mergeMetadata(changed.metadata, itemMetadata);
    },
  };
}

function setCancellation(subscription: SubscriptionObject, params: Params, now: number): void {
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd, cancellation_details: details } = params;
  if (at !== undefined || atPeriodEnd !== undefined) {
    const isPlanned = atPeriodEnd === true || (at !== undefined && at !== '');
    subscription.cancel_at_period_end = atPeriodEnd === true;
    subscription.cancel_at = isPlanned
      ? cancellationTime(subscription, at === undefined || at === '' ? 'min_period_end' : at)
      : null;
    subscription.canceled_at = isPlanned ? now : null;
  }
  const known = subscription.cancellation_details;
  if (known === null) return;
  if (at !== undefined || atPeriodEnd !== undefined)
    known.reason = subscription.cancel_at === null ? null : 'cancellation_requested';
  if (details?.comment !== undefined) known.comment = details.comment === '' ? null : details.comment;
  if (details?.feedback !== undefined) known.feedback = details.feedback === '' ? null : details.feedback;
}

export const cancellationTime = (
  subscription: SubscriptionObject,
  at: number | 'min_period_end' | 'max_period_end',
): number => (typeof at === 'number' ? at : onlyItem(subscription).current_period_end);

export const toPaymentMethodTypes = (given: 'card'[] | '' | undefined): 'card'[] | null =>
  given === undefined || given === '' ? null : given;

function setTrial(store: StripeStore, subscription: SubscriptionObject, params: Params): void {
  const missing = params.trial_settings?.end_behavior.missing_payment_method;
  if (missing !== undefined)
    subscription.trial_settings = { end_behavior: { billing_cycle_anchor: null, missing_payment_method: missing } };
  if (params.trial_end === undefined || params.trial_end === 'now') return;
  const trialEnd = readTrialEnd(store, { trial_end: params.trial_end });
  if (trialEnd === null) return;
  const item = onlyItem(subscription);
  if (subscription.status !== 'trialing') {
    subscription.trial_start = store.currentFields();
    item.current_period_start = store.currentFields();
  }
  subscription.status = 'trialing';
  subscription.trial_end = trialEnd;
  subscription.billing_cycle_anchor = trialEnd;
  item.current_period_end = trialEnd;
}

function setOtherFields(subscription: SubscriptionObject, params: Params): void {
  const { pause_collection: pause, default_payment_method: card, description } = params;
  if (pause !== undefined)
    subscription.pause_collection =
      pause === '' ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null };
  if (card !== undefined) subscription.default_payment_method = card;
  if (description !== undefined) subscription.description = description === '' ? null : description;
  const { save_default_payment_method: saves, payment_method_types: types } = params.payment_settings ?? {};
  if (subscription.payment_settings !== null) {
    if (saves !== undefined) subscription.payment_settings.save_default_payment_method = saves;
    if (types !== undefined) subscription.payment_settings.payment_method_types = toPaymentMethodTypes(types);
  }
  subscription.metadata = mergeMetadata(subscription.metadata, params.metadata);
}
