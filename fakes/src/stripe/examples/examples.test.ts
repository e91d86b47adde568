import { afterAll, beforeAll, expect, it } from 'vitest';
import examples from './stripe-examples.json' with { type: 'json' };
import {
  addCustomer,
  addPlans,
  startConnectedFake,
  type ConnectedStripeFake,
  daysToMs,
  sendForm,
} from '../test-kit/connected-fake.ts';

type Fields = Record<string, unknown>;

/** Fields that the package's types require and the older examples lack. */
const NEWER_FIELDS: Readonly<Record<string, string[]>> = {
  product: ['tax_details'],
  'checkout.session': ['allowed_payment_method_types'],
  subscription_item: ['current_trial'],
  payment_intent: ['allowed_payment_method_types', 'payment_record'],
  subscription_schedule: ['pause_schedules'],
};
/** Fields of the examples that the API no longer has. */
const REMOVED_FIELDS: Readonly<Record<string, string[]>> = { invoice: ['subscription'] };

const exampleByKind: Readonly<Record<string, Fields>> = examples.resources;
let connected: ConnectedStripeFake;

beforeAll(async () => {
  connected = await startConnectedFake();
  const { fake, stripe } = connected;
  const plans = await addPlans(stripe);
  await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/', enabled_events: ['plan.created'] });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: plans.plus.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/',
  });
  await sendForm(session.url ?? '', { act: 'pay', email: 'ada@example.com' });
  const customer = await addCustomer(stripe);
  await stripe.billingPortal.sessions.create({ customer: customer.id });
  const items = [{ price: plans.pro.id }];
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items });
  await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data;
  await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 });
  fake.setCards(customer.id, 'decline');
  await fake.advance(daysToMs(40));
});
afterAll(() => connected.fake.close());

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function expectExampleFields(kind: string, object: Fields): void {
  const example = exampleByKind[kind];
  if (example === undefined) throw new Error(`There is no example of ${kind}`);
  const gone = REMOVED_FIELDS[kind] ?? [];
  const wanted = [...Object.keys(example).filter((name) => !gone.includes(name)), ...(NEWER_FIELDS[kind] ?? [])];
  expect(Object.keys(object).toSorted(), kind).toEqual(wanted.toSorted());
  for (const [name, value] of Object.entries(object)) {
    const known = example[name];
    if (value === null || value === undefined || known === null || known === undefined) continue;
    expect(typeOf(value), `${kind}.${name}`).toBe(typeOf(known));
  }
}

it('every object has the fields and types of Stripe’s own example', () => {
  const kinds = Object.entries(connected.fake.tables);
  for (const [kind, table] of kinds) {
    const objects = Object.values(table);
    expect(objects.length, kind).toBeGreaterThan(0);
    for (const object of objects) expectExampleFields(kind, { ...object });
  }
  for (const { items } of Object.values(connected.fake.tables.subscription))
    for (const item of items.data) {
      expectExampleFields('subscription_item', { ...item });
      expectExampleFields('price', { ...item.price });
      expectExampleFields('plan', { ...item.plan });
    }
  for (const { lines } of Object.values(connected.fake.tables.invoice))
    for (const line of lines.data) expectExampleFields('line_item', { ...line });
});

it('objects in events and deleted objects match the examples too', async () => {
  const { stripe, fake } = connected;
  for (const { data } of Object.values(fake.tables.event)) {
    const object = { ...data.object } as Fields;
    expectExampleFields(String(object['object']), object);
  }
  const { data: sessions } = await stripe.checkout.sessions.list({ expand: ['data.line_items'] });
  for (const item of sessions[0]?.line_items?.data ?? []) expectExampleFields('item', { ...item });
  const customer = await stripe.customers.create();
  expectExampleFields('deleted_customer', { ...(await stripe.customers.del(customer.id)) });
  const endpoint = await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/', enabled_events: ['*'] });
  expectExampleFields('deleted_webhook_endpoint', { ...(await stripe.webhookEndpoints.del(endpoint.id)) });
});
