import { expect, it } from 'vitest';
import { PaymentFailure } from '../../ports/payments/index.ts';
import { createStripePayments } from './stripe-payments.ts';
import { addCustomer } from '@parley/fakes/stripe/test-kit/connected-fake.ts';
import { useStripeFixture } from '@parley/fakes/stripe/test-kit/stripe-fixture.ts';

const fixture = useStripeFixture();

it('reports a second trial with other terms as refused and starts none', async () => {
  const { fake, stripe, plans } = fixture;
  const payments = createStripePayments({ secretKey: fake.key, baseUrl: new URL(fake.url), webhookSecret: 'whsec_x' });
  const { id: customerId } = await addCustomer(stripe);
  const trial = { customerId, userId: 'ada', priceId: plans.pro.id };
  await payments.startTrial({ ...trial, days: 7 });
  const failure: unknown = await payments.startTrial({ ...trial, days: 14 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PaymentFailure);
  expect(failure).toMatchObject({ reason: 'refused' });
  expect((await stripe.subscriptions.list({ customer: customerId })).data).toHaveLength(1);
});

it('does not repeat a failure of the provider for a day', async () => {
  const { fake, plans } = fixture;
  const access = { secretKey: fake.key, baseUrl: new URL(fake.url), maxNetworkRetries: 0 };
  // The fake's clock could reach the next minute during the test.
  const now = new Date('2027-01-31T10:00:00Z');
  const payments = createStripePayments({ ...access, webhookSecret: 'whsec_x', now: () => now });
  const grace = { userId: 'grace', email: 'grace@example.com', insteadOf: null };
  fake.play({ does: 'reject', on: 'POST /v1/customers', status: 500, isKept: true });
  await expect(payments.createCustomer(grace)).rejects.toMatchObject({ reason: 'unreachable' });
  const customerId = await payments.createCustomer(grace);
  // Simultaneous requests still create one customer.
  expect(await payments.createCustomer(grace)).toBe(customerId);
  const trial = { customerId, userId: grace.userId, priceId: plans.pro.id, days: 7 };
  fake.play({ does: 'reject', on: 'POST /v1/subscriptions', status: 500, isKept: true });
  await expect(payments.startTrial(trial)).rejects.toMatchObject({ reason: 'unreachable' });
  await payments.startTrial(trial);
  expect(await payments.listSubscriptions(customerId)).toMatchObject([{ status: 'trialing' }]);
});

it('sells only products for the plans that can be bought', async () => {
  const { fake, stripe } = fixture;
  const payments = createStripePayments({ secretKey: fake.key, baseUrl: new URL(fake.url), webhookSecret: 'whsec_x' });
  for (const plan of ['FREE', 'TRIALING', 'PLUS', 'PRO', 'GOLD']) {
    const { id: product } = await stripe.products.create({ name: plan, metadata: { plan } });
    await stripe.prices.create({ product, unit_amount: 100, currency: 'usd', recurring: { interval: 'month' } });
  }
  const { products, prices } = await payments.readCatalogue();
  expect(products.map(({ name }) => name).toSorted()).toEqual(['PLUS', 'PRO']);
  expect(prices.map(({ plan }) => plan).toSorted()).toEqual(['PLUS', 'PRO']);
});
