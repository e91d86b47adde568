import { expect, it } from 'vitest';
import { PaymentFailure } from '../../payments/index.ts';
import { createStripePayments } from './stripe-payments.ts';
import { addCustomer } from './twin/test-kit/begin.ts';
import { setUpTwin } from './twin/test-kit/twin-scene.ts';

const scene = setUpTwin();

it('takes a second trial with other terms within a day for an expected refusal, and starts none', async () => {
  const { twin, stripe, plans } = scene;
  const payments = createStripePayments({ secretKey: twin.key, address: new URL(twin.url), webhookSecret: 'whsec_x' });
  const { id: customerId } = await addCustomer(stripe);
  const trial = { customerId, userId: 'ada', priceId: plans.pro.id };
  await payments.startTrial({ ...trial, days: 7 });
  const failure: unknown = await payments.startTrial({ ...trial, days: 14 }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PaymentFailure);
  expect(failure).toMatchObject({ reason: 'refused' });
  expect((await stripe.subscriptions.list({ customer: customerId })).data).toHaveLength(1);
});
