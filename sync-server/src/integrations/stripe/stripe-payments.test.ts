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
