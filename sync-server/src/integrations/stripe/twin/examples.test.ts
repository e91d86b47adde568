import { afterAll, beforeAll, expect, it } from 'vitest';
import examples from './examples/stripe-examples.json' with { type: 'json' };
import { addCustomer, addPlans, beginTwin, type Begun, inDays, sendForm } from './test-kit/begin.ts';

type Fields = Record<string, unknown>;

/** What the package's types require and the examples, which are older, do not have yet. */
const NEWER: Readonly<Record<string, string[]>> = {
  product: ['tax_details'],
  'checkout.session': ['allowed_payment_method_types'],
  subscription_item: ['current_trial'],
  payment_intent: ['allowed_payment_method_types', 'payment_record'],
  subscription_schedule: ['pause_schedules'],
};
/** What the examples still have and the API no longer does. */
const GONE: Readonly<Record<string, string[]>> = { invoice: ['subscription'] };

const exampleByKind: Readonly<Record<string, Fields>> = examples.resources;
let begun: Begun;

beforeAll(async () => {
  begun = await beginTwin();
  const { twin, stripe } = begun;
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
  twin.setCards(customer.id, 'decline');
  await twin.advance(inDays(40));
});
afterAll(() => begun.twin.close());

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function expectTrue(kind: string, object: Fields): void {
  const example = exampleByKind[kind];
  if (example === undefined) throw new Error(`There is no example of ${kind}`);
  const gone = GONE[kind] ?? [];
  const wanted = [...Object.keys(example).filter((name) => !gone.includes(name)), ...(NEWER[kind] ?? [])];
  expect(Object.keys(object).toSorted(), kind).toEqual(wanted.toSorted());
  for (const [name, value] of Object.entries(object)) {
    const known = example[name];
    if (value === null || value === undefined || known === null || known === undefined) continue;
    expect(typeOf(value), `${kind}.${name}`).toBe(typeOf(known));
  }
}

it('every object of the twin has the fields of Stripe’s own example, with its types', () => {
  const kinds = Object.entries(begun.twin.tables);
  for (const [kind, table] of kinds) {
    const objects = Object.values(table);
    expect(objects.length, kind).toBeGreaterThan(0);
    for (const object of objects) expectTrue(kind, { ...object });
  }
  for (const { items } of Object.values(begun.twin.tables.subscription))
    for (const item of items.data) {
      expectTrue('subscription_item', { ...item });
      expectTrue('price', { ...item.price });
      expectTrue('plan', { ...item.plan });
    }
  for (const { lines } of Object.values(begun.twin.tables.invoice))
    for (const line of lines.data) expectTrue('line_item', { ...line });
});

it('so have the objects inside of events, and what is told of a deleted one', async () => {
  const { stripe, twin } = begun;
  for (const { data } of Object.values(twin.tables.event)) {
    const object = { ...data.object } as Fields;
    expectTrue(String(object['object']), object);
  }
  const { data: sessions } = await stripe.checkout.sessions.list({ expand: ['data.line_items'] });
  for (const item of sessions[0]?.line_items?.data ?? []) expectTrue('item', { ...item });
  const customer = await stripe.customers.create();
  expectTrue('deleted_customer', { ...(await stripe.customers.del(customer.id)) });
  const endpoint = await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/', enabled_events: ['*'] });
  expectTrue('deleted_webhook_endpoint', { ...(await stripe.webhookEndpoints.del(endpoint.id)) });
});
