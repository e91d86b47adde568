/** Creates plans at a provider that sells nothing yet, so that the Stripe fake has something to sell. */
import type { Stripe } from 'stripe';

const SEED_PLANS = [
  { plan: 'PLUS', name: 'Parley Plus', monthly: 1_200, yearly: 12_000 },
  { plan: 'PRO', name: 'Parley Pro', monthly: 2_400, yearly: 24_000 },
] as const;

/** Does nothing when any product exists. */
export async function seedPlans(stripe: Stripe): Promise<void> {
  const { data } = await stripe.products.list({ limit: 1 });
  if (data.length > 0) return;
  for (const { plan, name, monthly, yearly } of SEED_PLANS) {
    const product = await stripe.products.create({ name, metadata: { plan } });
    for (const [interval, amount] of [
      ['month', monthly],
      ['year', yearly],
    ] as const)
      await stripe.prices.create({
        product: product.id,
        unit_amount: amount,
        currency: 'usd',
        recurring: { interval },
      });
  }
}
