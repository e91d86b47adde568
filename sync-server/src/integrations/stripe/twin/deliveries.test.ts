import { Stripe } from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTwin, type Begun, inDays, START } from './test-kit/begin.ts';
import { type Receiver, startReceiver } from './test-kit/receiver.ts';

let begun: Begun;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
  begun = await beginTwin({ webhook: { url: receiver.url, events: ['customer.*'] } });
});
afterEach(async () => {
  await begun.twin.close();
  await receiver.close();
});

const addCustomers = async (...names: string[]): Promise<void> => {
  for (const name of names) await begun.stripe.customers.create({ name });
  await begun.twin.deliveries.settled();
};
const namesReceived = (): string[] =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name);

describe('an event', () => {
  it('is sent signed, so that the real client accepts it and nothing else', async () => {
    const { twin, stripe } = begun;
    await addCustomers('Ada');
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received;
    const check = (text: string, secret: string, atMs: number) =>
      stripe.webhooks.constructEvent(text, signature, secret, undefined, undefined, atMs);
    const now = START.getTime();
    expect(check(body, twin.webhookSecret, now)).toMatchObject({
      type: 'customer.created',
      api_version: Stripe.API_VERSION,
      data: { object: { name: 'Ada' } },
    });
    expect(() => check(body.replace('Ada', 'Eve'), twin.webhookSecret, now)).toThrow(/signature/i);
    expect(() => check(body, 'whsec_other', now)).toThrow(/signature/i);
    expect(() => check(body, twin.webhookSecret, now + 301_000)).toThrow(/tolerance/);
  });

  it('is sent only where it is wanted', async () => {
    await begun.stripe.products.create({ name: 'Not wanted' });
    await addCustomers('Ada');
    expect(receiver.types()).toEqual(['customer.created']);
  });

  it('is sent again after a failure, with longer and longer pauses', async () => {
    const { twin } = begun;
    receiver.answerWith(500);
    await addCustomers('Ada');
    await twin.advance(59_000);
    expect(receiver.received).toHaveLength(1);
    await twin.advance(1_000);
    expect(receiver.received).toHaveLength(2);
    receiver.answerWith(200);
    await twin.advance(inDays(3));
    expect(receiver.received).toHaveLength(3);
    expect(twin.deliveries.all()[0]?.statuses).toEqual([500, 500, 200]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  it('is given up after three days', async () => {
    receiver.answerWith(302);
    await addCustomers('Ada');
    await begun.twin.advance(inDays(5));
    expect(receiver.received).toHaveLength(11);
  });

  it('waits, and comes late, out of order and twice, as it is told to', async () => {
    const { deliveries } = begun.twin;
    deliveries.hold();
    await addCustomers('first', 'second', 'third');
    expect(receiver.received).toEqual([]);
    const [first, second, third] = deliveries.held().map(({ id }) => id);
    await begun.twin.advance(inDays(1));
    await deliveries.release([third ?? '', first ?? '']);
    expect(namesReceived()).toEqual(['third', 'first']);
    await addCustomers('fourth');
    await deliveries.resume();
    expect(namesReceived()).toEqual(['third', 'first', 'second', 'fourth']);
    await deliveries.sendAgain(receiver.received[1]?.id ?? '');
    await addCustomers('fifth');
    expect(namesReceived().slice(4)).toEqual(['first', 'fifth']);
    await expect(deliveries.release([second ?? ''])).rejects.toThrow('not held');
  });

  it('may make its receiver ask and change, also while time passes', async () => {
    const { twin, stripe } = begun;
    receiver.onEvent(async ({ type, objectId }) => {
      if (type === 'customer.created') await stripe.customers.update(objectId, { description: 'welcomed' });
    });
    twin.deliveries.hold();
    await addCustomers('Ada');
    await twin.deliveries.resume();
    receiver.answerWith(500);
    await addCustomers('Eve');
    await twin.advance(60_000);
    expect(receiver.types()).toContain('customer.updated');
    const { data } = await stripe.customers.list();
    expect(data.map(({ description }) => description)).toEqual(['welcomed', 'welcomed']);
  });

  it('is nobody’s loss where nobody listens', async () => {
    await receiver.close();
    await addCustomers('Ada');
    expect(begun.twin.deliveries.all()[0]?.statuses).toEqual([null]);
    receiver = await startReceiver();
  });
});

describe('a webhook endpoint', () => {
  it('is made, shows its secret once, and can be removed', async () => {
    const { stripe } = begun;
    const other = await startReceiver();
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
