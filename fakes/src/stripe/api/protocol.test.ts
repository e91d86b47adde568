import { describe, expect, it } from 'vitest';
import { connectClient } from '../connect-client.ts';
import { objectOf, booleanParam, integer, stringParam } from '../params/param-schema.ts';
import {
  addCustomer,
  startConnectedFake,
  errorOf,
  requireId,
  daysToMs,
  onlyItemOf,
} from '../test-kit/connected-fake.ts';
import { useSharedStripeFixture } from '../test-kit/stripe-fixture.ts';

const fixture = useSharedStripeFixture();

/** Sends requests that a typed client cannot express. */
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${fixture.fake.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.fake.key}`, ...headers },
    body: new URLSearchParams(body),
  });
const postForError = async (path: string, body: string): Promise<unknown> => {
  const response = await post(path, body);
  return { status: response.status, ...((await response.json()) as object) };
};
const invalid = (error: object, status = 400) => ({
  status,
  error: expect.objectContaining({ type: 'invalid_request_error', message: expect.any(String), ...error }),
});

describe('parameters', () => {
  it('are rejected when Stripe does not know them, at any depth', async () => {
    expect(await postForError('/v1/products', 'name=A&colour=red')).toEqual(
      invalid({ code: 'parameter_unknown', param: 'colour' }),
    );
    expect(
      await postForError('/v1/subscriptions', 'customer=cus_1&items[0][price]=price_1&items[0][colour]=red'),
    ).toEqual(invalid({ code: 'parameter_unknown', param: 'items[0][colour]' }));
    expect(await postForError('/v1/products', 'name=A&__proto__[x]=1')).toEqual(
      invalid({ code: 'parameter_unknown', param: '__proto__' }),
    );
  });

  it('are rejected when missing, empty or of another type', async () => {
    const price = `product=${requireId(fixture.plans.plus.product)}&currency=usd`;
    const recurring = `${price}&unit_amount=1&recurring`;
    expect(await postForError('/v1/products', '')).toEqual(invalid({ code: 'parameter_missing', param: 'name' }));
    expect(await postForError('/v1/products', 'name=')).toEqual(
      invalid({ code: 'parameter_invalid_empty', param: 'name' }),
    );
    expect(await postForError('/v1/products', 'name=A&active=perhaps')).toEqual(invalid({ param: 'active' }));
    expect(await postForError('/v1/products', 'name[a]=A')).toEqual(invalid({ param: 'name' }));
    expect(await postForError('/v1/prices', `${price}&unit_amount=12.5`)).toEqual(
      invalid({ code: 'parameter_invalid_integer', param: 'unit_amount' }),
    );
    expect(await postForError('/v1/prices', `${recurring}[interval]=fortnight`)).toEqual(
      invalid({ param: 'recurring[interval]' }),
    );
    expect(await postForError('/v1/prices', `${recurring}=monthly`)).toEqual(invalid({ param: 'recurring' }));
    expect(await postForError('/v1/customers', `metadata[${'k'.repeat(41)}]=v`)).toEqual(
      invalid({ param: `metadata[${'k'.repeat(41)}]` }),
    );
    expect(await postForError('/v1/customers', 'email=nobody')).toEqual(
      invalid({ code: 'email_invalid', param: 'email' }),
    );
  });

  it('that only Stripe supports are rejected with another message', async () => {
    const unmodelled = invalid({ code: 'fake_unmodelled', message: expect.stringContaining('fake does not model') });
    expect(await postForError('/v1/checkout/sessions', 'mode=payment')).toEqual(unmodelled);
    expect(await postForError('/v1/coupons', 'percent_off=10')).toEqual(unmodelled);
  });

  it('are defined in tables that compile only while they match the package', () => {
    interface Params {
      name: string;
      active?: boolean;
    }
    objectOf<Params>()({ name: { ...stringParam, isNeeded: true }, active: booleanParam });
    objectOf<Params>()({ name: { ...stringParam, isNeeded: true } });
    // @ts-expect-error a parameter that the package requires is missing
    objectOf<Params>()({ active: booleanParam });
    // @ts-expect-error the package has no such parameter
    objectOf<Params>()({ name: { ...stringParam, isNeeded: true }, active: booleanParam, colour: stringParam });
    // @ts-expect-error the type differs from the package
    objectOf<Params>()({ name: { ...stringParam, isNeeded: true }, active: integer });
    // @ts-expect-error the package requires this parameter
    objectOf<Params>()({ name: stringParam, active: booleanParam });
  });
});

describe('a missing object', () => {
  it('is 404 in the path and 400 in a parameter', async () => {
    expect(await errorOf(fixture.stripe.customers.retrieve('cus_none'))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      requestId: expect.stringMatching(/^req_/),
    });
    const request = fixture.stripe.subscriptions.create({
      customer: 'cus_none',
      items: [{ price: fixture.plans.plus.id }],
    });
    expect(await errorOf(request)).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
    expect(await errorOf(fixture.stripe.customers.retrieve('constructor'))).toMatchObject({ statusCode: 404 });
  });

  it('is still a deleted customer by its id', async () => {
    const { id } = await fixture.stripe.customers.create();
    expect(await fixture.stripe.customers.del(id)).toEqual({ id, object: 'customer', deleted: true });
    expect(await fixture.stripe.customers.retrieve(id)).toMatchObject({ deleted: true });
    expect(await errorOf(fixture.stripe.customers.update(id, { name: 'A' }))).toMatchObject({ statusCode: 404 });
  });
});

describe('lists', () => {
  it('come in pages, newest first', async () => {
    const email = 'pages@example.com';
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await fixture.stripe.customers.create({ email })).id);
    const first = await fixture.stripe.customers.list({ email, limit: 2 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[4], ids[3]], true]);
    const next = await fixture.stripe.customers.list({ email, limit: 3, starting_after: ids[3] ?? '' });
    expect([next.data.map(({ id }) => id), next.has_more]).toEqual([[ids[2], ids[1], ids[0]], false]);
    const back = await fixture.stripe.customers.list({ email, limit: 2, ending_before: ids[1] ?? '' });
    expect([back.data.map(({ id }) => id), back.has_more]).toEqual([[ids[3], ids[2]], true]);
    const all: string[] = [];
    for await (const { id } of fixture.stripe.customers.list({ email, limit: 2 })) all.push(id);
    expect(all).toEqual(ids.toReversed());
    expect(await errorOf(fixture.stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await errorOf(fixture.stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('are filtered by parameters', async () => {
    const { id, created } = await fixture.stripe.prices.create({
      product: requireId(fixture.plans.pro.product),
      unit_amount: 900,
      currency: 'eur',
      recurring: { interval: 'week' },
    });
    for (const request of [{ currency: 'eur' }, { recurring: { interval: 'week' as const } }])
      expect((await fixture.stripe.prices.list(request)).data.map((price) => price.id)).toEqual([id]);
    expect((await fixture.stripe.prices.list({ created: { gt: created } })).data).toEqual([]);
    await fixture.stripe.prices.update(id, { active: false });
    expect((await fixture.stripe.prices.list({ active: false })).data).toHaveLength(1);
  });
});

describe('expansion', () => {
  it('replaces ids by objects, nested and in lists', async () => {
    const { id: customer } = await addCustomer(fixture.stripe);
    const { id } = await fixture.stripe.subscriptions.create({ customer, items: [{ price: fixture.plans.plus.id }] });
    const expand = ['customer', 'latest_invoice.payments.data.payment.payment_intent'];
    const one = await errorOf(fixture.stripe.subscriptions.retrieve(id, { expand })).catch(() => null);
    // Stripe expands four levels; this path has five.
    expect(one).toMatchObject({ statusCode: 400 });
    const two = await fixture.stripe.subscriptions.retrieve(id, {
      expand: [
        'customer.invoice_settings.default_payment_method',
        'latest_invoice.payments',
        'items.data.price.product',
      ],
    });
    expect(two).toMatchObject({
      customer: { id: customer, invoice_settings: { default_payment_method: { object: 'payment_method' } } },
      latest_invoice: { payments: { data: [{ object: 'invoice_payment' }] } },
      items: { data: [{ price: { product: { name: 'Parley Plus' } } }] },
    });
    const listed = await fixture.stripe.subscriptions.list({ customer, expand: ['data.customer'] });
    expect(listed.data[0]?.customer).toMatchObject({ email: 'ada@example.com' });
    expect(await fixture.stripe.subscriptions.retrieve(id)).toMatchObject({ customer });
    const known = await fixture.stripe.customers.retrieve(customer, { expand: ['subscriptions'] });
    expect(known).toMatchObject({ subscriptions: { data: [{ id }] } });
    expect(await errorOf(fixture.stripe.customers.retrieve(customer, { expand: ['colour'] }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('colour'),
    });
  });
});

describe('an idempotency key', () => {
  it('repeats the same response and rejects another request', async () => {
    const options = { idempotencyKey: 'key-1' };
    const first = await fixture.stripe.customers.create({ name: 'Ada' }, options);
    const again = await fixture.stripe.customers.create({ name: 'Ada' }, options);
    expect(again).toEqual(first);
    expect(again.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(await errorOf(fixture.stripe.customers.create({ name: 'Eve' }, options))).toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
    const { data } = await fixture.stripe.events.list({ type: 'customer.created', limit: 1 });
    expect(data[0]?.request?.idempotency_key).toBe('key-1');
  });

  it('repeats a failure that came during the execution', async () => {
    const { fake, stripe } = fixture;
    fake.play({ does: 'reject', on: 'POST /v1/customers', status: 500, isKept: true });
    const create = (idempotencyKey: string) => stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
    expect((await errorOf(create('failed-key'))).headers).not.toHaveProperty('idempotent-replayed');
    expect((await errorOf(create('failed-key'))).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(await create('another-key')).toMatchObject({ name: 'Ada' });
  });

  it('prevents a second execution when the response was lost', async () => {
    const { fake } = fixture;
    const retryingClient = connectClient({ key: fake.key, url: fake.url, maxNetworkRetries: 1 });
    const before = Object.keys(fake.tables.customer).length;
    fake.play({ does: 'cut', when: 'after' });
    const { id } = await retryingClient.customers.create({ name: 'Grace' });
    expect(fake.tables.customer[id]?.name).toBe('Grace');
    expect(Object.keys(fake.tables.customer)).toHaveLength(before + 1);
  });
});

describe('a failing request', () => {
  it('is rejected without the right key', async () => {
    const { fake } = fixture;
    const clientWithWrongKey = connectClient({ key: 'sk_test_wrong', url: fake.url, maxNetworkRetries: 0 });
    expect(await errorOf(clientWithWrongKey.products.list())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
      message: expect.not.stringContaining('sk_test_wrong'),
    });
    expect(await fixture.stripe.products.list()).toMatchObject({ object: 'list' });
  });

  it('follows the script', async () => {
    const { fake } = fixture;
    fake.play(
      { does: 'reject', status: 429, retryAfterS: 3, on: 'GET /v1/prices' },
      { does: 'reject', status: 500, on: 'GET /v1/prices' },
      { does: 'reject', status: 402, on: 'POST /v1/customers' },
      { does: 'garble', on: 'GET /v1/prices' },
    );
    expect(await errorOf(fixture.stripe.prices.list())).toMatchObject({
      type: 'StripeRateLimitError',
      headers: { 'retry-after': '3' },
    });
    expect(await errorOf(fixture.stripe.customers.create())).toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
    });
    expect(await errorOf(fixture.stripe.prices.list())).toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
    expect(await errorOf(fixture.stripe.prices.list())).toMatchObject({ message: expect.stringContaining('JSON') });
    expect((await fixture.stripe.prices.list()).data.length).toBeGreaterThan(0);
    expect(fake.calls.filter(({ path }) => path === '/v1/prices').map(({ status }) => status)).toContain(429);
  });

  it('can be slow, dropped or unanswered, before or after execution', async () => {
    const { fake } = fixture;
    const impatientClient = connectClient({
      key: fake.key,
      url: fake.url,
      maxNetworkRetries: 0,
      timeoutMs: 150,
    });
    const isKnown = (name: string) => Object.values(fake.tables.customer).some((customer) => customer.name === name);
    fake.play({ does: 'answer_late', ms: 20 });
    await impatientClient.customers.create({ name: 'slow' });
    fake.play({ does: 'answer_late', ms: 400 }, { does: 'fall_silent', when: 'before' });
    for (const name of ['too slow', 'unheard'])
      expect(await errorOf(impatientClient.customers.create({ name }))).toMatchObject({
        type: 'StripeConnectionError',
      });
    expect(['slow', 'too slow', 'unheard'].map(isKnown)).toEqual([true, true, false]);
    // The client repeats a dropped request once on its own.
    fake.play({ does: 'cut', when: 'before', times: 2 });
    expect(await errorOf(impatientClient.customers.create({ name: 'cut' }))).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect(isKnown('cut')).toBe(false);
  });
});

describe('events', () => {
  it('contain the object at that moment and its previous values', async () => {
    const customer = await fixture.stripe.customers.create({ name: 'Ada', metadata: { level: 'B1', home: 'London' } });
    await fixture.stripe.customers.update(customer.id, { name: 'Ada L.', metadata: { level: 'B2', home: '' } });
    await fixture.stripe.customers.update(customer.id, { name: 'Countess' });
    await fixture.stripe.customers.update(customer.id, { name: 'Countess' });
    const { data } = await fixture.stripe.events.list({ types: ['customer.updated', 'customer.created'], limit: 3 });
    expect(data.map(({ type, data: told }) => [type, told])).toMatchObject([
      ['customer.updated', { object: { name: 'Countess' }, previous_attributes: { name: 'Ada L.' } }],
      [
        'customer.updated',
        {
          object: { name: 'Ada L.', metadata: { level: 'B2' } },
          previous_attributes: { name: 'Ada', metadata: { level: 'B1', home: 'London' } },
        },
      ],
      ['customer.created', { object: { name: 'Ada' } }],
    ]);
    const [event] = data;
    expect(event?.api_version).toBe('2026-10-28.endive');
  });

  it('are kept for 30 days', async () => {
    const { fake, stripe: other } = await startConnectedFake();
    await other.customers.create();
    await fake.advance(daysToMs(31));
    expect((await other.events.list()).data).toEqual([]);
    await fake.close();
  });
});

describe('a customer', () => {
  it('can be updated, but rejects a declined card', async () => {
    const { id } = await addCustomer(fixture.stripe);
    const cleared = await fixture.stripe.customers.update(id, { email: '', description: 'A learner' });
    expect(cleared).toMatchObject({ email: null, description: 'A learner' });
    const declined = fixture.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: id });
    expect(await errorOf(declined)).toMatchObject({ statusCode: 402 });
  });

  it('takes its subscriptions along when deleted', async () => {
    const customer = await addCustomer(fixture.stripe);
    const subscription = await fixture.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: fixture.plans.plus.id, quantity: 2 }],
    });
    expect(onlyItemOf(subscription).quantity).toBe(2);
    await fixture.stripe.customers.del(customer.id);
    const ended = await fixture.stripe.subscriptions.retrieve(subscription.id, { expand: ['customer'] });
    expect(ended).toMatchObject({ status: 'canceled', customer: { deleted: true } });
  });
});
