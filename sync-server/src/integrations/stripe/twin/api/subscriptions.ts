/** Subscriptions: begun, read, cancelled and resumed. */
import { endSubscription, isEnded } from '../billing/end.ts';
import { draftInvoice } from '../billing/invoices.ts';
import { remainderLine } from '../billing/lines.ts';
import { settleInvoice } from '../billing/pay.ts';
import { pickPrice, startSubscription } from '../billing/start.ts';
import { onlyItem } from '../objects/subscription.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import {
  subscriptionCancel,
  subscriptionCreate,
  subscriptionList,
  subscriptionUpdate,
} from '../params/subscriptions.ts';
import { refuse, refuseUnmodelled } from '../refused.ts';
import type { SubscriptionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';
import { trialEndOf } from './trial-end.ts';
import { cancellationTime, typesOf, updateSubscription } from './update-subscription.ts';

export const subscriptionRoutes = [
  route('POST /v1/subscriptions', subscriptionCreate, createSubscription),
  route('GET /v1/subscriptions', subscriptionList, (world, params) =>
    newestPage(
      world.all('subscription').filter((subscription) => isWanted(subscription, params)),
      params,
      '/v1/subscriptions',
    ),
  ),
  route('GET /v1/subscriptions/:id', onlyExpand, (world, _, id) => world.get('subscription', id)),
  route('POST /v1/subscriptions/:id', subscriptionUpdate, updateSubscription),
  route('DELETE /v1/subscriptions/:id', subscriptionCancel, cancelSubscription),
];

function createSubscription(world: World, params: Read<typeof subscriptionCreate>): SubscriptionObject {
  const { customer, items, default_payment_method: card, cancel_at: cancelAt } = params;
  if (customer === undefined)
    throw refuse('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  world.named('customer', customer, 'customer');
  if (card !== undefined) world.named('payment_method', card, 'default_payment_method');
  const price = pickPrice(world, items, 'items');
  if (params.currency !== undefined && params.currency !== price.currency)
    throw refuse(`The price is not in ${params.currency}.`, { param: 'currency' });
  const behavior = params.payment_behavior ?? 'allow_incomplete';
  const started = startSubscription(world, {
    customer,
    price,
    quantity: items?.[0]?.quantity ?? 1,
    itemMetadata: mergeMetadata({}, items?.[0]?.metadata),
    metadata: mergeMetadata({}, params.metadata),
    description: params.description ?? null,
    trialEnd: trialEndOf(world, params),
    missingPaymentMethod: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    defaultPaymentMethod: card ?? null,
    savesPaymentMethod: params.payment_settings?.save_default_payment_method === 'on_subscription',
    paymentMethodTypes: typesOf(params.payment_settings?.payment_method_types),
    behavior,
  });
  if (params.cancel_at_period_end !== true && cancelAt === undefined) return started;
  return world.change('subscription', started.id, 'customer.subscription.updated', (subscription) => {
    subscription.cancel_at_period_end = params.cancel_at_period_end === true;
    subscription.cancel_at = cancellationTime(subscription, cancelAt ?? 'min_period_end');
    subscription.canceled_at = world.now();
  });
}

function isWanted(subscription: SubscriptionObject, params: Read<typeof subscriptionList>): boolean {
  const { status } = params;
  const hasStatus =
    status === 'all' ||
    (status === undefined && subscription.status !== 'canceled') ||
    (status === 'ended' && isEnded(subscription)) ||
    subscription.status === status;
  return (
    hasStatus &&
    fits(subscription.customer, params.customer) &&
    fits(onlyItem(subscription).price.id, params.price) &&
    isWithin(subscription.created, params.created)
  );
}

function cancelSubscription(world: World, params: Read<typeof subscriptionCancel>, id: string): SubscriptionObject {
  const subscription = world.get('subscription', id);
  // Stripe no longer knows an ended subscription at this address.
  if (isEnded(subscription))
    throw refuse(`No such subscription: '${id}'`, { code: 'resource_missing', param: 'id', status: 404 });
  const details = params.cancellation_details;
  if (details !== undefined && subscription.cancellation_details !== null) {
    if (details.comment !== undefined)
      subscription.cancellation_details.comment = details.comment === '' ? null : details.comment;
    if (details.feedback !== undefined)
      subscription.cancellation_details.feedback = details.feedback === '' ? null : details.feedback;
  }
  if (params.prorate === true && params.invoice_now !== true)
    throw refuseUnmodelled('a credit for unused time that waits for another invoice', 'prorate');
  if (params.invoice_now === true) billLast(world, subscription, { givesBack: params.prorate === true });
  return endSubscription(world, id, { reason: 'cancellation_requested' });
}

/** One more invoice: of prorations that wait, and of the unused time, which becomes credit. */
function billLast(world: World, subscription: SubscriptionObject, { givesBack }: { givesBack: boolean }): void {
  const now = world.now();
  const { price, quantity } = onlyItem(subscription);
  const isBilled = subscription.status !== 'trialing' && subscription.status !== 'paused';
  const lines =
    givesBack && isBilled ? [remainderLine(world, subscription, { price, quantity, at: now, sign: -1 })] : [];
  if (lines.length === 0 && world.state.pendingLinesBySubscription[subscription.id] === undefined) return;
  const invoice = draftInvoice(world, subscription, {
    reason: 'subscription_update',
    period: { start: now, end: now },
    finalizesAt: null,
    lines,
  });
  subscription.latest_invoice = invoice.id;
  settleInvoice(world, invoice.id);
}
