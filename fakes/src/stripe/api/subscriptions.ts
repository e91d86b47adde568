/** The API of subscriptions: create, read, list and cancel. */
import { endSubscription, isEnded } from '../billing/end-subscription.ts';
import { draftInvoice } from '../billing/invoices.ts';
import { remainderLine } from '../billing/invoice-lines.ts';
import { settleInvoice } from '../billing/attempt-payment.ts';
import { assertSameCurrency, resolvePrice, startSubscription } from '../billing/start-subscription.ts';
import { onlyItem } from '../objects/subscription.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import {
  subscriptionCancel,
  subscriptionCreate,
  subscriptionList,
  subscriptionUpdate,
} from '../params/subscriptions.ts';
import { invalidRequest, unsupportedByFake } from '../api-error.ts';
import type { SubscriptionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { matches, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';
import { readTrialEnd } from './trial-end.ts';
import { cancellationTime, toPaymentMethodTypes, updateSubscription } from './update-subscription.ts';

export const subscriptionRoutes = [
  route('POST /v1/subscriptions', subscriptionCreate, createSubscription),
  route('GET /v1/subscriptions', subscriptionList, (store, params) =>
    newestPage(
      store.all('subscription').filter((subscription) => matchesFilter(subscription, params)),
      params,
      '/v1/subscriptions',
    ),
  ),
  route('GET /v1/subscriptions/:id', onlyExpand, (store, _, id) => store.get('subscription', id)),
  route('POST /v1/subscriptions/:id', subscriptionUpdate, updateSubscription),
  route('DELETE /v1/subscriptions/:id', subscriptionCancel, cancelSubscription),
];

function createSubscription(store: StripeStore, params: ParamsOf<typeof subscriptionCreate>): SubscriptionObject {
  const { customer, items, default_payment_method: card, cancel_at: cancelAt } = params;
  if (customer === undefined)
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  store.getByParam('customer', customer, 'customer');
  if (card !== undefined) store.getByParam('payment_method', card, 'default_payment_method');
  const price = resolvePrice(store, items, 'items');
  if (params.currency !== undefined && params.currency !== price.currency)
    throw invalidRequest(`The price is not in ${params.currency}.`, { param: 'currency' });
  assertSameCurrency(store, customer, price);
  const behavior = params.payment_behavior ?? 'allow_incomplete';
  const started = startSubscription(store, {
    customer,
    price,
    quantity: items?.[0]?.quantity ?? 1,
    itemMetadata: mergeMetadata({}, items?.[0]?.metadata),
    metadata: mergeMetadata({}, params.metadata),
    description: params.description ?? null,
    trialEnd: readTrialEnd(store, params),
    missingPaymentMethod: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    defaultPaymentMethod: card ?? null,
    savesPaymentMethod: params.payment_settings?.save_default_payment_method === 'on_subscription',
    paymentMethodTypes: toPaymentMethodTypes(params.payment_settings?.payment_method_types),
    behavior,
  });
  if (params.cancel_at_period_end !== true && cancelAt === undefined) return started;
  return store.update('subscription', started.id, 'customer.subscription.updated', (subscription) => {
    subscription.cancel_at_period_end = params.cancel_at_period_end === true;
    subscription.cancel_at = cancellationTime(subscription, cancelAt ?? 'min_period_end');
    subscription.canceled_at = store.currentFields();
  });
}

function matchesFilter(subscription: SubscriptionObject, params: ParamsOf<typeof subscriptionList>): boolean {
  const { status } = params;
  const hasStatus =
    status === 'all' ||
    (status === undefined && subscription.status !== 'canceled') ||
    (status === 'ended' && isEnded(subscription)) ||
    subscription.status === status;
  return (
    hasStatus &&
    matches(subscription.customer, params.customer) &&
    matches(onlyItem(subscription).price.id, params.price) &&
    isWithin(subscription.created, params.created)
  );
}

function cancelSubscription(
  store: StripeStore,
  params: ParamsOf<typeof subscriptionCancel>,
  id: string,
): SubscriptionObject {
  const subscription = store.get('subscription', id);
  // Stripe does not know an ended subscription at this path.
  if (isEnded(subscription))
    throw invalidRequest(`No such subscription: '${id}'`, { code: 'resource_missing', param: 'id', status: 404 });
  const details = params.cancellation_details;
  if (details !== undefined && subscription.cancellation_details !== null) {
    if (details.comment !== undefined)
      subscription.cancellation_details.comment = details.comment === '' ? null : details.comment;
    if (details.feedback !== undefined)
      subscription.cancellation_details.feedback = details.feedback === '' ? null : details.feedback;
  }
  if (params.prorate === true && params.invoice_now !== true)
    throw unsupportedByFake('a credit for unused time that waits for another invoice', 'prorate');
  if (params.invoice_now === true) issueFinalInvoice(store, subscription, { prorates: params.prorate === true });
  return endSubscription(store, id, { reason: 'cancellation_requested' });
}

/** Issues a final invoice for pending prorations and for unused time, which becomes credit. */
function issueFinalInvoice(
  store: StripeStore,
  subscription: SubscriptionObject,
  { prorates }: { prorates: boolean },
): void {
  const now = store.currentFields();
  const { price, quantity } = onlyItem(subscription);
  const isBilled = subscription.status !== 'trialing' && subscription.status !== 'paused';
  const lines =
    prorates && isBilled ? [remainderLine(store, subscription, { price, quantity, at: now, sign: -1 })] : [];
  if (lines.length === 0 && store.state.pendingLinesBySubscription[subscription.id] === undefined) return;
  const invoice = draftInvoice(store, subscription, {
    reason: 'subscription_update',
    period: { start: now, end: now },
    finalizesAt: null,
    lines,
  });
  subscription.latest_invoice = invoice.id;
  settleInvoice(store, invoice.id);
}
