/** Chooses who takes the money: Stripe by its key; in development its stand-in on this machine; else nobody, and nothing is sold. */
import { join } from 'node:path';
import type { Payments } from '../payments/index.ts';
import { WEBHOOK_PATH } from './billing-routes.ts';
import type { Config } from './config.ts';

export interface ConnectedPayments {
  payments: Payments | null;
  /** Where the stand-in's pages are; null where there is none. */
  twinUrl: string | null;
  /** Once the server has an address: the stand-in tells it what happens. */
  listening: (address: string) => Promise<void>;
  close: () => Promise<void>;
}

const NONE: ConnectedPayments = {
  payments: null,
  twinUrl: null,
  listening: async () => undefined,
  close: async () => undefined,
};

export async function connectPayments({
  payments,
  dataDir,
}: Pick<Config, 'payments' | 'dataDir'>): Promise<ConnectedPayments> {
  if (payments === null) return NONE;
  const { connectStripe, createStripePayments, offerPlans, startStandIn } =
    await import('../integrations/stripe/index.ts');
  if (payments.type === 'stripe') return { ...NONE, payments: createStripePayments(payments) };

  const twin = await startStandIn({ dir: join(dataDir, 'stripe') });
  const access = { secretKey: twin.key, address: new URL(twin.url) };
  const stripe = connectStripe(access);
  await offerPlans(stripe);
  let webhookSecret = '';
  return {
    payments: createStripePayments({ ...access, webhookSecret: () => webhookSecret, now: twin.now }),
    twinUrl: twin.url,
    listening: async (address) => {
      const url = new URL(WEBHOOK_PATH, address).href;
      // Of an earlier run, which may have listened elsewhere.
      for (const { id } of (await stripe.webhookEndpoints.list({ limit: 100 })).data)
        await stripe.webhookEndpoints.del(id);
      webhookSecret = (await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] })).secret ?? '';
    },
    close: twin.close,
  };
}
