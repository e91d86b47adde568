/** Sessions of the hosted pages. */
import { days } from '../billing/calendar.ts';
import { expireSession } from '../billing/due.ts';
import { amountOf } from '../billing/lines.ts';
import { pickPrice } from '../billing/start.ts';
import { newCheckoutItem, newCheckoutSession, newPortalSession } from '../objects/sessions.ts';
import { checkoutCreate, checkoutList, portalCreate } from '../params/checkout.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { Read } from '../params/shape.ts';
import { refuse } from '../refused.ts';
import type { CheckoutSessionObject, PortalSessionObject } from '../state/resources.ts';
import type { World } from '../world.ts';
import { fits, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';
import { trialEndOf } from './trial-end.ts';

export const checkoutRoutes = [
  route('POST /v1/checkout/sessions', checkoutCreate, createSession),
  route('GET /v1/checkout/sessions', checkoutList, (world, params) =>
    newestPage(
      world
        .all('checkout.session')
        .filter(
          ({ customer, status, subscription, created }) =>
            fits(customer, params.customer) &&
            fits(status, params.status) &&
            fits(subscription, params.subscription) &&
            isWithin(created, params.created),
        ),
      params,
      '/v1/checkout/sessions',
    ),
  ),
  route('GET /v1/checkout/sessions/:id', onlyExpand, (world, _, id) => world.get('checkout.session', id)),
  route('POST /v1/checkout/sessions/:id/expire', onlyExpand, (world, _, id) => {
    if (world.get('checkout.session', id).status !== 'open') throw refuse('Only an open session can be expired.');
    expireSession(world, id);
    return world.get('checkout.session', id);
  }),
  route('POST /v1/billing_portal/sessions', portalCreate, createPortalSession),
];

const MIN_OPEN_S = 30 * 60;

function createSession(world: World, params: Read<typeof checkoutCreate>): CheckoutSessionObject {
  const { customer, customer_email: email, subscription_data: data = {}, line_items: lines } = params;
  const now = world.now();
  if (params.mode === undefined)
    throw refuse('Missing required param: mode.', { code: 'parameter_missing', param: 'mode' });
  if (params.success_url === undefined)
    throw refuse('Missing required param: success_url.', { code: 'parameter_missing', param: 'success_url' });
  for (const param of ['success_url', 'cancel_url'] as const) checkUrl(params[param], param);
  if (customer !== undefined && email !== undefined)
    throw refuse('Only one of customer and customer_email can be given.', { param: 'customer_email' });
  const known = customer === undefined ? null : world.named('customer', customer, 'customer');
  const price = pickPrice(world, lines, 'line_items');
  const quantity = lines?.[0]?.quantity;
  if (quantity === undefined)
    throw refuse('Missing required param: line_items[0][quantity].', {
      code: 'parameter_missing',
      param: 'line_items[0][quantity]',
    });
  const expiresAt = params.expires_at ?? now + days(1);
  if (expiresAt < now + MIN_OPEN_S || expiresAt > now + days(1))
    throw refuse('A session expires between 30 minutes and 24 hours from now.', { param: 'expires_at' });
  const hasTrial = trialEndOf(world, data) !== null;
  const total = hasTrial ? 0 : amountOf(price, quantity);
  const session = newCheckoutSession(params, {
    currency: price.currency,
    total,
    customerEmail: known?.email ?? email ?? null,
    expiresAt,
    url: world.url,
    now,
  });
  world.state.checkoutPlansBySession[session.id] = {
    items: [
      newCheckoutItem(price, {
        quantity,
        total,
        description: world.get('product', price.product).name,
        metadata: mergeMetadata({}, lines?.[0]?.metadata),
      }),
    ],
    trialPeriodDays: data.trial_period_days ?? null,
    trialEnd: data.trial_end ?? null,
    missingPaymentMethod: data.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    subscriptionMetadata: mergeMetadata({}, data.metadata),
    subscriptionDescription: data.description ?? null,
  };
  return world.add('checkout.session', session);
}

function createPortalSession(world: World, params: Read<typeof portalCreate>): PortalSessionObject {
  const { customer, return_url: returnUrl } = params;
  if (customer === undefined)
    throw refuse('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  world.named('customer', customer, 'customer');
  checkUrl(returnUrl, 'return_url');
  const session = newPortalSession(customer, {
    returnUrl: returnUrl ?? null,
    locale: params.locale ?? null,
    url: world.url,
    now: world.now(),
  });
  return world.add('billing_portal.session', session, 'billing_portal.session.created');
}

/** Stripe wants the scheme said. */
function checkUrl(url: string | undefined, param: string): void {
  if (url !== undefined && (!URL.canParse(url) || !/^[a-z][a-z\d+.-]*:\/\//i.test(url)))
    throw refuse(`Not a valid URL: ${url}`, { code: 'url_invalid', param });
}
