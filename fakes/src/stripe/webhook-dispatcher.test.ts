import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConnectedFake, type ConnectedStripeFake, daysToMs, START } from './test-kit/connected-fake.ts';
import { type WebhookReceiver, startWebhookReceiver } from './test-kit/webhook-receiver.ts';

let connected: ConnectedStripeFake;
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  connected = await startConnectedFake({ webhook: { url: receiver.url, events: ['customer.*'] } });
});
afterEach(async () => {
  await connected.fake.close();
  await receiver.close();
});

const addCustomers = async (...names: string[]): Promise<void> => {
  for (const name of names) await connected.stripe.customers.create({ name });
  await connected.fake.deliveries.settled();
};
const namesReceived = (): string[] =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name);

describe('an event', () => {
  it('is signed so that only the real event is accepted', async () => {
    const { fake, stripe } = connected;
    await addCustomers('Ada');
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received;
    const check = (text: string, secret: string, atMs: number) =>
      stripe.webhooks.constructEvent(text, signature, secret, undefined, undefined, atMs);
    const now = START.getTime();
    expect(check(body, fake.webhookSecret, now)).toMatchObject({
      type: 'customer.created',
      api_version: Stripe.API_VERSION,
      data: { object: { name: 'Ada' } },
    });
    expect(() => check(body.replace('Ada', 'Eve'), fake.webhookSecret, now)).toThrow(/signature/i);
    expect(() => check(body, 'whsec_other', now)).toThrow(/signature/i);
    expect(() => check(body, fake.webhookSecret, now + 301_000)).toThrow(/tolerance/);
  });

  it('is sent only to endpoints that subscribe to it', async () => {
    await connected.stripe.products.create({ name: 'Not wanted' });
    await addCustomers('Ada');
    expect(receiver.types()).toEqual(['customer.created']);
  });

  it('is retried after a failure with growing pauses', async () => {
    const { fake } = connected;
    receiver.answerWith(500);
    await addCustomers('Ada');
    await fake.advance(59_000);
    expect(receiver.received).toHaveLength(1);
    await fake.advance(1_000);
    expect(receiver.received).toHaveLength(2);
    receiver.answerWith(200);
    await fake.advance(daysToMs(3));
    expect(receiver.received).toHaveLength(3);
    expect(fake.deliveries.all()[0]?.statuses).toEqual([500, 500, 200]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('is given up after three days', async () => {
    receiver.answerWith(302);
    await addCustomers('Ada');
    await connected.fake.advance(daysToMs(5));
    expect(receiver.received).toHaveLength(11);
  });

  it('can be held, reordered and redelivered', async () => {
    const { deliveries } = connected.fake;
    deliveries.hold();
    await addCustomers('first', 'second', 'third');
    expect(receiver.received).toEqual([]);
    const [first, second, third] = deliveries.held().map(({ id }) => id);
    await connected.fake.advance(daysToMs(1));
    await deliveries.release([third ?? '', first ?? '']);
    expect(namesReceived()).toEqual(['third', 'first']);
    await addCustomers('fourth');
    await deliveries.resume();
    expect(namesReceived()).toEqual(['third', 'first', 'second', 'fourth']);
    await deliveries.redeliver(receiver.received[1]?.id ?? '');
    await addCustomers('fifth');
    expect(namesReceived().slice(4)).toEqual(['first', 'fifth']);
    await expect(deliveries.release([second ?? ''])).rejects.toThrow('not held');
  });

  it('may make its receiver change objects, also while time advances', async () => {
    const { fake, stripe } = connected;
    receiver.onEvent(async ({ type, objectId }) => {
      if (type === 'customer.created') await stripe.customers.update(objectId, { description: 'welcomed' });
    });
    fake.deliveries.hold();
    await addCustomers('Ada');
    await fake.deliveries.resume();
    receiver.answerWith(500);
    await addCustomers('Eve');
    await fake.advance(60_000);
    expect(receiver.types()).toContain('customer.updated');
    const { data } = await stripe.customers.list();
    expect(data.map(({ description }) => description)).toEqual(['welcomed', 'welcomed']);
  });

  it('is dropped when the endpoint is unreachable', async () => {
    await receiver.close();
    await addCustomers('Ada');
    expect(connected.fake.deliveries.all()[0]?.statuses).toEqual([null]);
    receiver = await startWebhookReceiver();
  });
});

describe('a webhook endpoint', () => {
  it('is created, shows its secret once, and can be deleted', async () => {
    const { stripe } = connected;
    const other = await startWebhookReceiver();
    const made = await stripe.webhookEndpoints.create({ url: other.url, enabled_events: ['*'] });
    expect(made.secret).toMatch(/^whsec_/);
    for (const listed of (await stripe.webhookEndpoints.list()).data) expect(listed).not.toHaveProperty('secret');
    await addCustomers('Ada');
    const [{ body, signature } = { body: '', signature: '' }] = other.received;
    const now = START.getTime();
    const read = stripe.webhooks.constructEvent(body, signature, made.secret ?? '', undefined, undefined, now);
    expect(read.type).toBe('customer.created');
    await stripe.webhookEndpoints.del(made.id);
    expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1);
    await addCustomers('Eve');
    expect(other.received).toHaveLength(1);
    await other.close();
  });
});
