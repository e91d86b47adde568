/** Chooses the payment provider: Stripe when a key is set, a local fake in development, and otherwise none. */
import { join } from 'node:path';
import type { Payments } from '../ports/payments/index.ts';
import { WEBHOOK_PATH } from '../http/routes/billing-routes.ts';
import type { Config } from './config/config.ts';
import { startDevelopmentPayments } from './development-payments.ts';

export interface ConnectedPayments {
  payments: Payments | null;
  /** The address of the fake's pages, or null when there is no fake. */
  fakeUrl: string | null;
  /** Called once the server has an address, so that the fake can send its webhooks there. */
  onListening: (address: string) => Promise<void>;
  close: () => Promise<void>;
}

const NO_PAYMENTS: ConnectedPayments = {
  payments: null,
  fakeUrl: null,
  onListening: async () => undefined,
  close: async () => undefined,
};

/** Stripe's payments with a key; `baseUrl` replaces Stripe's address. */
export async function connectStripePayments(
  access: { secretKey: string; webhookSecret: string },
  baseUrl?: URL,
): Promise<Payments> {
  const { createStripePayments } = await import('../integrations/stripe/index.ts');
  return createStripePayments({ ...access, ...(baseUrl === undefined ? {} : { baseUrl }) });
}

export async function connectPayments({
  payments,
  dataDir,
}: Pick<Config, 'payments' | 'dataDir'>): Promise<ConnectedPayments> {
  if (payments === null) return NO_PAYMENTS;
  if (payments.type === 'stripe') return { ...NO_PAYMENTS, payments: await connectStripePayments(payments) };
  const { connectStripe, createStripePayments } = await import('../integrations/stripe/index.ts');

  const fake = await startDevelopmentPayments(join(dataDir, 'stripe'));
  const access = { secretKey: fake.key, baseUrl: new URL(fake.url) };
  const stripe = connectStripe(access);
  let webhookSecret = '';
  return {
    payments: createStripePayments({ ...access, webhookSecret: () => webhookSecret, now: fake.now }),
    fakeUrl: fake.url,
    onListening: async (address) => {
      const url = new URL(WEBHOOK_PATH, address).href;
      // An earlier run may have listened at another address.
      for (const { id } of (await stripe.webhookEndpoints.list({ limit: 100 })).data)
        await stripe.webhookEndpoints.del(id);
      webhookSecret = (await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] })).secret ?? '';
    },
    close: fake.close,
  };
}
