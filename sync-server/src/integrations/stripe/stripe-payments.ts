/** Payments by Stripe: hosted checkout and portal, and everything else asked for when it is needed. */
import { Stripe } from 'stripe';
import { PaymentFailure, type Payments } from '../../payments/index.ts';
import { connectStripe, type StripeAccess } from './connect-stripe.ts';
import { endWithAccount, goOn } from './end-with-account.ts';
import { planOfProduct, toEvent, toPrice, toProduct, toSubscription } from './from-stripe.ts';
import { invoicesOf } from './invoices-of.ts';

export interface StripePaymentsOptions extends StripeAccess {
  /** Of the endpoint at which Stripe tells us what happened. */
  webhookSecret: string | (() => string);
  /** An event that was signed long ago may have been kept by somebody who read it. */
  now?: () => Date;
}

const PAGE = 100;
/** Of each subscription in a list, what is planned for it, and whether it is paid. */
const OUTLOOK = ['data.schedule', 'data.latest_invoice'];
/** Stripe's own recommendation. */
const TOLERANCE_S = 300;
/** Nobody sells so many things, or buys so many times. */
const MOST = 10_000;

export function createStripePayments(options: StripePaymentsOptions): Payments {
  const stripe = connectStripe(options);
  const secret = (): string =>
    typeof options.webhookSecret === 'string' ? options.webhookSecret : options.webhookSecret();

  return {
    isTest: options.secretKey.startsWith('sk_test_') || options.secretKey.startsWith('rk_test_'),

    catalogue: () =>
      told(async () => {
        const products = await stripe.products.list({ limit: PAGE }).autoPagingToArray({ limit: MOST });
        const prices = await stripe.prices.list({ limit: PAGE }).autoPagingToArray({ limit: MOST });
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
      told(async () => {
        const idempotencyKey = ['customer', userId, email, ...(insteadOf === null ? [] : [insteadOf])].join(':');
        const customer = await stripe.customers.create({ email, metadata: { userId } }, { idempotencyKey });
        return customer.id;
      }),

    knowsCustomer: (customerId) =>
      told(async () => {
        try {
          return (await stripe.customers.retrieve(customerId)).deleted !== true;
        } catch (error) {
          if (isMissing(error)) return false;
          throw error;
        }
      }),

    deleteCustomer: (customerId) =>
      told(async () => {
        try {
          await stripe.customers.del(customerId);
        } catch (error) {
          // Deleted before: the first answer was lost.
          if (!isMissing(error)) throw error;
        }
      }),

    checkout: ({ customerId, userId, priceId, doneUrl, backUrl }) =>
      told(async () => {
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { userId } },
          success_url: doneUrl,
          cancel_url: backUrl,
        });
        // Asked for twice at the same time, also of two servers: one page is left, and both are led there.
        const open = await openCheckouts(stripe, customerId);
        const [kept = session, ...others] = open.toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
        for (const { id } of others) await closeCheckout(stripe, id);
        if (kept.url === null) throw new PaymentFailure('refused');
        return { url: kept.url };
      }),

    closeCheckouts: (customerId) =>
      told(async () => {
        for (const { id } of await openCheckouts(stripe, customerId)) await closeCheckout(stripe, id);
      }),

    startTrial: ({ customerId, userId, priceId, days }) =>
      told(async () => {
        await stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price: priceId }],
            trial_period_days: days,
            trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
            // Also where there is a card, of a plan before or left in the portal.
            cancel_at_period_end: true,
            metadata: { userId },
          },
          // Once an account, also when it is asked for twice at the same time.
          { idempotencyKey: `trial:${userId}` },
        );
      }),

    endSubscription: (subscriptionId) =>
      told(async () => {
        try {
          await stripe.subscriptions.cancel(subscriptionId);
        } catch (error) {
          // It has ended before.
          if (!isMissing(error)) throw error;
        }
      }),

    endWithAccount: (subscriptionId) => told(() => endWithAccount(stripe, subscriptionId)),
    goOn: (subscriptionId) => told(() => goOn(stripe, subscriptionId)),

    portal: ({ customerId, returnUrl }) =>
      told(async () => {
        const { url } = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
        return { url };
      }),

    subscriptionsOf: (customer) =>
      told(async () => {
        try {
          const all = stripe.subscriptions.list({ customer, status: 'all', limit: PAGE, expand: OUTLOOK });
          return (await all.autoPagingToArray({ limit: MOST })).map(toSubscription);
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),

    async *subscriptions() {
      try {
        for await (const subscription of stripe.subscriptions.list({ status: 'all', limit: PAGE, expand: OUTLOOK }))
          yield toSubscription(subscription);
      } catch (error) {
        throw asFailure(error);
      }
    },

    invoicesOf: (customer) =>
      told(async () => {
        try {
          return await invoicesOf(stripe, customer);
        } catch (error) {
          if (isMissing(error)) return [];
          throw error;
        }
      }),

    readEvent(body, signature) {
      try {
        const receivedAt = options.now?.().getTime();
        return toEvent(
          stripe.webhooks.constructEvent(Buffer.from(body), signature, secret(), TOLERANCE_S, undefined, receivedAt),
        );
      } catch (error) {
        throw new PaymentFailure('forged', { cause: error });
      }
    },
  };
}

const openCheckouts = (stripe: Stripe, customer: string): Promise<Stripe.Checkout.Session[]> =>
  stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE }).autoPagingToArray({ limit: MOST });

/** Paid or run out in the meantime is closed, too; anything else that is refused may still be paid at. */
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

async function told<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw asFailure(error);
  }
}

function asFailure(error: unknown): unknown {
  const { errors } = Stripe;
  const because = (reason: PaymentFailure['reason']): PaymentFailure => new PaymentFailure(reason, { cause: error });
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return because('key_refused');
  if (error instanceof errors.StripeRateLimitError) return because('busy');
  // 409: the same call is under way. Otherwise the key was used with other parameters within a day, and what it did then stands.
  if (error instanceof errors.StripeIdempotencyError) return because(error.statusCode === 409 ? 'busy' : 'refused');
  if (error instanceof errors.StripeConnectionError || error instanceof errors.StripeAPIError)
    return because('unreachable');
  return error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError
    ? because('refused')
    : error;
}
