/** Implements payments with Stripe: hosted checkout and portal, and everything else read on demand. */
import { Stripe } from 'stripe';
import { PaymentFailure, type Payments } from '../../ports/payments/index.ts';
import { connectStripe, type StripeAccess } from './connect-stripe.ts';
import { createOnce } from './create-once.ts';
import { cancelWithAccount, undoCancelWithAccount } from './cancel-with-account.ts';
import { planOfProduct, toEvent, toPrice, toProduct, toSubscription } from './from-stripe.ts';
import { listInvoices } from './list-invoices.ts';

export interface StripePaymentsOptions extends StripeAccess {
  /** Secret of the webhook endpoint. */
  webhookSecret: string | (() => string);
  /** Rejects replayed events: one that was signed long ago may have been stored by an attacker. */
  now?: () => Date;
}

const PAGE_SIZE = 100;
/** Requests the pending plan change of each subscription, and whether its invoice is paid. */
const SUBSCRIPTION_EXPANSIONS = ['data.schedule', 'data.latest_invoice'];
/** Stripe's own recommendation. */
const SIGNATURE_TOLERANCE_S = 300;
/** More items than any customer or catalogue has. */
const MAX_ITEMS = 10_000;

export function createStripePayments(options: StripePaymentsOptions): Payments {
  const stripe = connectStripe(options);
  const now = options.now ?? (() => new Date());
  const secret = (): string =>
    typeof options.webhookSecret === 'string' ? options.webhookSecret : options.webhookSecret();

  return {
    isTest: options.secretKey.startsWith('sk_test_') || options.secretKey.startsWith('rk_test_'),

    readCatalogue: () =>
      withPaymentErrors(async () => {
        const products = await stripe.products.list({ limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_ITEMS });
        const prices = await stripe.prices.list({ limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_ITEMS });
        const plans = new Map(
          products.flatMap((product) => {
            const plan = planOfProduct(product);
            return plan === null ? [] : [[product.id, plan] as const];
          }),
        );
        return {
          products: products.filter(({ id }) => plans.has(id)).map(toProduct),
          prices: prices.flatMap((price) => {
            const plan = plans.get(typeof price.product === 'string' ? price.product : price.product.id);
            const ours = plan === undefined ? null : toPrice(price, plan);
            return ours === null ? [] : [ours];
          }),
        };
      }),

    createCustomer: ({ userId, email, insteadOf }) =>
      withPaymentErrors(async () => {
        const idempotencyKey = ['customer', userId, email, ...(insteadOf === null ? [] : [insteadOf])].join(':');
        const customer = await createOnce(idempotencyKey, {
          now: now(),
          create: (key) => stripe.customers.create({ email, metadata: { userId } }, key),
        });
        return customer.id;
      }),

    hasCustomer: (customerId) =>
      withPaymentErrors(async () => {
        try {
          return (await stripe.customers.retrieve(customerId)).deleted !== true;
        } catch (error) {
          if (isMissing(error)) return false;
          throw error;
        }
      }),

    deleteCustomer: (customerId) =>
      withPaymentErrors(async () => {
        try {
          await stripe.customers.del(customerId);
        } catch (error) {
          // The customer was already deleted and the first response was lost.
          if (!isMissing(error)) throw error;
        }
      }),

    createCheckout: ({ customerId, userId, priceId, successUrl, cancelUrl }) =>
      withPaymentErrors(async () => {
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { userId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        });
        // Concurrent requests, even to two servers, leave one open checkout, and both callers get its URL.
        const open = await openCheckouts(stripe, customerId);
        const [newest = session, ...others] = open.toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
        for (const { id } of others) await closeCheckout(stripe, id);
        if (newest.url === null) throw new PaymentFailure('refused');
        return { url: newest.url };
      }),

    expireCheckouts: (customerId) =>
      withPaymentErrors(async () => {
        try {
          for (const { id } of await openCheckouts(stripe, customerId)) await closeCheckout(stripe, id);
        } catch (error) {
          // The customer was deleted, or belongs to another Stripe account of ours.
          if (!isMissing(error)) throw error;
        }
      }),

    startTrial: ({ customerId, userId, priceId, days }) =>
      withPaymentErrors(async () => {
        const trial: Stripe.SubscriptionCreateParams = {
          customer: customerId,
          items: [{ price: priceId }],
          trial_period_days: days,
          trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
          // This also applies when a card is left from an earlier plan or the portal.
          cancel_at_period_end: true,
          metadata: { userId },
        };
        // The key allows one trial per account, even for concurrent requests.
        await createOnce(`trial:${userId}`, { now: now(), create: (key) => stripe.subscriptions.create(trial, key) });
      }),

    endSubscription: (subscriptionId) =>
      withPaymentErrors(async () => {
        try {
          await stripe.subscriptions.cancel(subscriptionId);
        } catch (error) {
          // The subscription has already ended.
          if (!isMissing(error)) throw error;
        }
      }),

    cancelWithAccount: (subscriptionId) => withPaymentErrors(() => cancelWithAccount(stripe, subscriptionId)),
    resumeWithAccount: (subscriptionId) => withPaymentErrors(() => undoCancelWithAccount(stripe, subscriptionId)),

    createPortalSession: ({ customerId, returnUrl }) =>
      withPaymentErrors(async () => {
        const { url } = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
        return { url };
      }),

    listSubscriptions: (customer) =>
      withPaymentErrors(async () => {
        try {
          const all = stripe.subscriptions.list({
            customer,
            status: 'all',
            limit: PAGE_SIZE,
            expand: SUBSCRIPTION_EXPANSIONS,
          });
          return (await all.autoPagingToArray({ limit: MAX_ITEMS })).map(toSubscription);
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),

    async *listAllSubscriptions() {
      try {
        for await (const subscription of stripe.subscriptions.list({
          status: 'all',
          limit: PAGE_SIZE,
          expand: SUBSCRIPTION_EXPANSIONS,
        }))
          yield toSubscription(subscription);
      } catch (error) {
        throw toPaymentFailure(error);
      }
    },

    listInvoices: (customer) =>
      withPaymentErrors(async () => {
        try {
          return await listInvoices(stripe, customer);
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),

    readEvent(body, signature) {
      try {
        return toEvent(
          stripe.webhooks.constructEvent(
            Buffer.from(body),
            signature,
            secret(),
            SIGNATURE_TOLERANCE_S,
            undefined,
            now().getTime(),
          ),
        );
      } catch (error) {
        throw new PaymentFailure('forged', { cause: error });
      }
    },
  };
}

const openCheckouts = (stripe: Stripe, customer: string): Promise<Stripe.Checkout.Session[]> =>
  stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_ITEMS });

/** A checkout that was paid or has expired counts as closed; after any other rejection it could still be paid. */
async function closeCheckout(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(id);
    if (status === 'open') throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

async function withPaymentErrors<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw toPaymentFailure(error);
  }
}

function toPaymentFailure(error: unknown): unknown {
  const { errors } = Stripe;
  const failure = (reason: PaymentFailure['reason']): PaymentFailure => new PaymentFailure(reason, { cause: error });
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return failure('key_refused');
  if (error instanceof errors.StripeRateLimitError) return failure('busy');
  // Status 409 means that the same request is still running. Otherwise the key was used with other parameters within a day, and the first
  // request's result stands.
  if (error instanceof errors.StripeIdempotencyError) return failure(error.statusCode === 409 ? 'busy' : 'refused');
  if (error instanceof errors.StripeConnectionError || error instanceof errors.StripeAPIError)
    return failure('unreachable');
  return error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError
    ? failure('refused')
    : error;
}
