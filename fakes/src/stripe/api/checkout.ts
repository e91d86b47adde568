/** The API of checkout and portal sessions. */
import { daysToSeconds } from '../billing/calendar.ts';
import { expireSession } from '../billing/due-actions.ts';
import { priceAmount } from '../billing/invoice-lines.ts';
import { assertSameCurrency, resolvePrice } from '../billing/start-subscription.ts';
import { newCheckoutItem, newCheckoutSession, newPortalSession } from '../objects/sessions.ts';
import { checkoutCreate, checkoutList, portalCreate } from '../params/checkout.ts';
import { onlyExpand } from '../params/lists.ts';
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import { invalidRequest } from '../api-error.ts';
import type { CheckoutSessionObject, PortalSessionObject } from '../state/resources.ts';
import type { StripeStore } from '../store.ts';
import { matches, isWithin, newestPage } from './list.ts';
import { route } from './route.ts';
import { readTrialEnd } from './trial-end.ts';

export const checkoutRoutes = [
  route('POST /v1/checkout/sessions', checkoutCreate, createSession),
  route('GET /v1/checkout/sessions', checkoutList, (store, params) =>
    newestPage(
      store
        .all('checkout.session')
        .filter(
          ({ customer, status, subscription, created }) =>
            matches(customer, params.customer) &&
            matches(status, params.status) &&
            matches(subscription, params.subscription) &&
            isWithin(created, params.created),
        ),
      params,
      '/v1/checkout/sessions',
    ),
  ),
  route('GET /v1/checkout/sessions/:id', onlyExpand, (store, _, id) => store.get('checkout.session', id)),
  route('POST /v1/checkout/sessions/:id/expire', onlyExpand, (store, _, id) => {
    if (store.get('checkout.session', id).status !== 'open')
      throw invalidRequest('Only an open session can be expired.');
    expireSession(store, id);
    return store.get('checkout.session', id);
  }),
  route('POST /v1/billing_portal/sessions', portalCreate, createPortalSession),
];

const MIN_OPEN_S = 30 * 60;

function createSession(store: StripeStore, params: ParamsOf<typeof checkoutCreate>): CheckoutSessionObject {
  const { customer, customer_email: email, subscription_data: data = {}, line_items: lines } = params;
  const now = store.currentFields();
  if (params.mode === undefined)
    throw invalidRequest('Missing required param: mode.', { code: 'parameter_missing', param: 'mode' });
  if (params.success_url === undefined)
    throw invalidRequest('Missing required param: success_url.', { code: 'parameter_missing', param: 'success_url' });
  for (const param of ['success_url', 'cancel_url'] as const) checkUrl(params[param], param);
  if (customer !== undefined && email !== undefined)
    throw invalidRequest('Only one of customer and customer_email can be given.', { param: 'customer_email' });
  const known = customer === undefined ? null : store.getByParam('customer', customer, 'customer');
  const price = resolvePrice(store, lines, 'line_items');
  if (known !== null) assertSameCurrency(store, known.id, price);
  const quantity = lines?.[0]?.quantity;
  if (quantity === undefined)
    throw invalidRequest('Missing required param: line_items[0][quantity].', {
      code: 'parameter_missing',
      param: 'line_items[0][quantity]',
    });
  const expiresAt = params.expires_at ?? now + daysToSeconds(1);
  if (expiresAt < now + MIN_OPEN_S || expiresAt > now + daysToSeconds(1))
    throw invalidRequest('A session expires between 30 minutes and 24 hours from now.', { param: 'expires_at' });
  const hasTrial = readTrialEnd(store, data) !== null;
  const total = hasTrial ? 0 : priceAmount(price, quantity);
  const session = newCheckoutSession(params, {
    currency: price.currency,
    total,
    customerEmail: known?.email ?? email ?? null,
    expiresAt,
    url: store.url,
    now,
  });
  store.state.checkoutPlansBySession[session.id] = {
    items: [
      newCheckoutItem(price, {
        quantity,
        total,
        description: store.get('product', price.product).name,
        metadata: mergeMetadata({}, lines?.[0]?.metadata),
      }),
    ],
    trialPeriodDays: data.trial_period_days ?? null,
    trialEnd: data.trial_end ?? null,
    missingPaymentMethod: data.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    subscriptionMetadata: mergeMetadata({}, data.metadata),
    subscriptionDescription: data.description ?? null,
  };
  return store.add('checkout.session', session);
}

function createPortalSession(store: StripeStore, params: ParamsOf<typeof portalCreate>): PortalSessionObject {
  const { customer, return_url: returnUrl } = params;
  if (customer === undefined)
    throw invalidRequest('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' });
  store.getByParam('customer', customer, 'customer');
  checkUrl(returnUrl, 'return_url');
  const session = newPortalSession(customer, {
    returnUrl: returnUrl ?? null,
    locale: params.locale ?? null,
    url: store.url,
    now: store.currentFields(),
  });
  return store.add('billing_portal.session', session, 'billing_portal.session.created');
}

/** Stripe requires a scheme. */
function checkUrl(url: string | undefined, param: string): void {
  if (url !== undefined && (!URL.canParse(url) || !/^[a-z][a-z\d+.-]*:\/\//i.test(url)))
    throw invalidRequest(`Not a valid URL: ${url}`, { code: 'url_invalid', param });
}
