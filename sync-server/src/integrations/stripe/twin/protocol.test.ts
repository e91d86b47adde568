import { describe, expect, it } from 'vitest';
import { connectStripe } from '../connect-stripe.ts';
import { fields, flag, integer, text } from './params/shape.ts';
import { addCustomer, beginTwin, errorOf, idOf, inDays, itemOf } from './test-kit/begin.ts';
import { setUpOneTwin } from './test-kit/twin-scene.ts';

const scene = setUpOneTwin();

/** What no typed caller would send. */
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${scene.twin.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.twin.key}`, ...headers },
    body: new URLSearchParams(body),
  });
const refusalOf = async (path: string, body: string): Promise<unknown> => {
  const response = await post(path, body);
  return { status: response.status, ...((await response.json()) as object) };
};
const invalid = (error: object, status = 400) => ({
  status,
  error: expect.objectContaining({ type: 'invalid_request_error', message: expect.any(String), ...error }),
});

describe('parameters', () => {
  it('are refused where Stripe does not know them, at any depth', async () => {
    expect(await refusalOf('/v1/products', 'name=A&colour=red')).toEqual(
      invalid({ code: 'parameter_unknown', param: 'colour' }),
    );
    expect(await refusalOf('/v1/subscriptions', 'customer=cus_1&items[0][price]=price_1&items[0][colour]=red')).toEqual(
      invalid({ code: 'parameter_unknown', param: 'items[0][colour]' }),
    );
    expect(await refusalOf('/v1/products', 'name=A&__proto__[x]=1')).toEqual(
      invalid({ code: 'parameter_unknown', param: '__proto__' }),
    );
  });

  it('are refused where they are missing, empty or of another type', async () => {
    const price = `product=${idOf(scene.plans.plus.product)}&currency=usd`;
    const recurring = `${price}&unit_amount=1&recurring`;
    expect(await refusalOf('/v1/products', '')).toEqual(invalid({ code: 'parameter_missing', param: 'name' }));
    expect(await refusalOf('/v1/products', 'name=')).toEqual(
      invalid({ code: 'parameter_invalid_empty', param: 'name' }),
    );
    expect(await refusalOf('/v1/products', 'name=A&active=perhaps')).toEqual(invalid({ param: 'active' }));
    expect(await refusalOf('/v1/products', 'name[a]=A')).toEqual(invalid({ param: 'name' }));
    expect(await refusalOf('/v1/prices', `${price}&unit_amount=12.5`)).toEqual(
      invalid({ code: 'parameter_invalid_integer', param: 'unit_amount' }),
    );
    expect(await refusalOf('/v1/prices', `${recurring}[interval]=fortnight`)).toEqual(
      invalid({ param: 'recurring[interval]' }),
    );
    expect(await refusalOf('/v1/prices', `${recurring}=monthly`)).toEqual(invalid({ param: 'recurring' }));
    expect(await refusalOf('/v1/customers', `metadata[${'k'.repeat(41)}]=v`)).toEqual(
      invalid({ param: `metadata[${'k'.repeat(41)}]` }),
    );
    expect(await refusalOf('/v1/customers', 'email=nobody')).toEqual(
      invalid({ code: 'email_invalid', param: 'email' }),
    );
  });

  it('that Stripe knows and the twin does not are refused in other words', async () => {
    const unmodelled = invalid({ code: 'twin_unmodelled', message: expect.stringContaining('twin does not model') });
    expect(await refusalOf('/v1/checkout/sessions', 'mode=payment')).toEqual(unmodelled);
    expect(await refusalOf('/v1/coupons', 'percent_off=10')).toEqual(unmodelled);
  });

  it('are held in tables that compile only while they agree with the package', () => {
    interface Params {
      name: string;
      active?: boolean;
    }
    fields<Params>()({ name: { ...text, isNeeded: true }, active: flag });
    fields<Params>()({ name: { ...text, isNeeded: true } });
    // @ts-expect-error a parameter that the package needs is missing
    fields<Params>()({ active: flag });
    // @ts-expect-error the package knows no such parameter
    fields<Params>()({ name: { ...text, isNeeded: true }, active: flag, colour: text });
    // @ts-expect-error of another type than in the package
    fields<Params>()({ name: { ...text, isNeeded: true }, active: integer });
    // @ts-expect-error optional here, needed in the package
    fields<Params>()({ name: text, active: flag });
  });
});

describe('what is not there', () => {
  it('is 404 by its address and 400 by a parameter', async () => {
    expect(await errorOf(scene.stripe.customers.retrieve('cus_none'))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      requestId: expect.stringMatching(/^req_/),
    });
    const asked = scene.stripe.subscriptions.create({ customer: 'cus_none', items: [{ price: scene.plans.plus.id }] });
    expect(await errorOf(asked)).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
    expect(await errorOf(scene.stripe.customers.retrieve('constructor'))).toMatchObject({ statusCode: 404 });
  });

  it('is a deleted customer still, by its id alone', async () => {
    const { id } = await scene.stripe.customers.create();
    expect(await scene.stripe.customers.del(id)).toEqual({ id, object: 'customer', deleted: true });
    expect(await scene.stripe.customers.retrieve(id)).toMatchObject({ deleted: true });
    expect(await errorOf(scene.stripe.customers.update(id, { name: 'A' }))).toMatchObject({ statusCode: 404 });
  });
});

describe('lists', () => {
  it('come in pages, the newest first', async () => {
    const email = 'pages@example.com';
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await scene.stripe.customers.create({ email })).id);
    const first = await scene.stripe.customers.list({ email, limit: 2 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[4], ids[3]], true]);
    const next = await scene.stripe.customers.list({ email, limit: 3, starting_after: ids[3] ?? '' });
    expect([next.data.map(({ id }) => id), next.has_more]).toEqual([[ids[2], ids[1], ids[0]], false]);
    const back = await scene.stripe.customers.list({ email, limit: 2, ending_before: ids[1] ?? '' });
    expect([back.data.map(({ id }) => id), back.has_more]).toEqual([[ids[3], ids[2]], true]);
    const all: string[] = [];
    for await (const { id } of scene.stripe.customers.list({ email, limit: 2 })) all.push(id);
    expect(all).toEqual(ids.toReversed());
    expect(await errorOf(scene.stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await errorOf(scene.stripe.customers.list({ starting_after: 'cus_none' }))).toMatchObject({
      statusCode: 400,
    });
  });

  it('are narrowed by what is asked', async () => {
    const { id, created } = await scene.stripe.prices.create({
      product: idOf(scene.plans.pro.product),
      unit_amount: 900,
      currency: 'eur',
      recurring: { interval: 'week' },
    });
    for (const asked of [{ currency: 'eur' }, { recurring: { interval: 'week' as const } }])
      expect((await scene.stripe.prices.list(asked)).data.map((price) => price.id)).toEqual([id]);
    expect((await scene.stripe.prices.list({ created: { gt: created } })).data).toEqual([]);
    await scene.stripe.prices.update(id, { active: false });
    expect((await scene.stripe.prices.list({ active: false })).data).toHaveLength(1);
  });
});

describe('expansion', () => {
  it('puts objects in the place of ids, deep and in lists', async () => {
    const { id: customer } = await addCustomer(scene.stripe);
    const { id } = await scene.stripe.subscriptions.create({ customer, items: [{ price: scene.plans.plus.id }] });
    const expand = ['customer', 'latest_invoice.payments.data.payment.payment_intent'];
    const one = await errorOf(scene.stripe.subscriptions.retrieve(id, { expand })).catch(() => null);
    // Stripe expands four levels, and this would be five.
    expect(one).toMatchObject({ statusCode: 400 });
    const two = await scene.stripe.subscriptions.retrieve(id, {
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
    const listed = await scene.stripe.subscriptions.list({ customer, expand: ['data.customer'] });
    expect(listed.data[0]?.customer).toMatchObject({ email: 'ada@example.com' });
    expect(await scene.stripe.subscriptions.retrieve(id)).toMatchObject({ customer });
    const known = await scene.stripe.customers.retrieve(customer, { expand: ['subscriptions'] });
    expect(known).toMatchObject({ subscriptions: { data: [{ id }] } });
    expect(await errorOf(scene.stripe.customers.retrieve(customer, { expand: ['colour'] }))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('colour'),
    });
  });
});

describe('an idempotency key', () => {
  it('answers the same to the same, and refuses another question', async () => {
    const options = { idempotencyKey: 'key-1' };
    const first = await scene.stripe.customers.create({ name: 'Ada' }, options);
    const again = await scene.stripe.customers.create({ name: 'Ada' }, options);
    expect(again).toEqual(first);
    expect(again.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    expect(await errorOf(scene.stripe.customers.create({ name: 'Eve' }, options))).toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
    const { data } = await scene.stripe.events.list({ type: 'customer.created', limit: 1 });
    expect(data[0]?.request?.idempotency_key).toBe('key-1');
  });

  it('keeps a repeated call from happening twice when its answer was lost', async () => {
    const { twin } = scene;
    const patient = connectStripe({ secretKey: twin.key, address: new URL(twin.url), maxNetworkRetries: 1 });
    const before = Object.keys(twin.tables.customer).length;
    twin.play({ does: 'cut', when: 'after' });
    const { id } = await patient.customers.create({ name: 'Grace' });
    expect(twin.tables.customer[id]?.name).toBe('Grace');
    expect(Object.keys(twin.tables.customer)).toHaveLength(before + 1);
  });
});

describe('a call that goes wrong', () => {
  it('is refused without the right key', async () => {
    const { twin } = scene;
    const stranger = connectStripe({ secretKey: 'sk_test_wrong', address: new URL(twin.url), maxNetworkRetries: 0 });
    expect(await errorOf(stranger.products.list())).toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
      message: expect.not.stringContaining('sk_test_wrong'),
    });
    expect(await scene.stripe.products.list()).toMatchObject({ object: 'list' });
  });

  it('is one that the script orders', async () => {
    const { twin } = scene;
    twin.play(
      { does: 'reject', status: 429, retryAfterS: 3, on: 'GET /v1/prices' },
      { does: 'reject', status: 500, on: 'GET /v1/prices' },
      { does: 'reject', status: 402, on: 'POST /v1/customers' },
      { does: 'garble', on: 'GET /v1/prices' },
    );
    expect(await errorOf(scene.stripe.prices.list())).toMatchObject({
      type: 'StripeRateLimitError',
      headers: { 'retry-after': '3' },
    });
    expect(await errorOf(scene.stripe.customers.create())).toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
    });
    expect(await errorOf(scene.stripe.prices.list())).toMatchObject({ type: 'StripeAPIError', statusCode: 500 });
    expect(await errorOf(scene.stripe.prices.list())).toMatchObject({ message: expect.stringContaining('JSON') });
    expect((await scene.stripe.prices.list()).data.length).toBeGreaterThan(0);
    expect(twin.calls.filter(({ path }) => path === '/v1/prices').map(({ status }) => status)).toContain(429);
  });

  it('is slow, cut or silent, with or without having been done', async () => {
    const { twin } = scene;
    const hasty = connectStripe({
      secretKey: twin.key,
      address: new URL(twin.url),
      maxNetworkRetries: 0,
      timeoutMs: 150,
    });
    const isKnown = (name: string) => Object.values(twin.tables.customer).some((customer) => customer.name === name);
    twin.play({ does: 'answer_late', ms: 20 });
    await hasty.customers.create({ name: 'slow' });
    twin.play({ does: 'answer_late', ms: 400 }, { does: 'fall_silent', when: 'before' });
    for (const name of ['too slow', 'unheard'])
      expect(await errorOf(hasty.customers.create({ name }))).toMatchObject({ type: 'StripeConnectionError' });
    expect(['slow', 'too slow', 'unheard'].map(isKnown)).toEqual([true, true, false]);
    // The client repeats a cut call once of itself.
    twin.play({ does: 'cut', when: 'before', times: 2 });
    expect(await errorOf(hasty.customers.create({ name: 'cut' }))).toMatchObject({ type: 'StripeConnectionError' });
    expect(isKnown('cut')).toBe(false);
  });
});

describe('events', () => {
  it('hold what an object was at its moment, and what it was before', async () => {
    const customer = await scene.stripe.customers.create({ name: 'Ada', metadata: { level: 'B1', home: 'London' } });
    await scene.stripe.customers.update(customer.id, { name: 'Ada L.', metadata: { level: 'B2', home: '' } });
    await scene.stripe.customers.update(customer.id, { name: 'Countess' });
    await scene.stripe.customers.update(customer.id, { name: 'Countess' });
    const { data } = await scene.stripe.events.list({ types: ['customer.updated', 'customer.created'], limit: 3 });
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

  it('are told for 30 days', async () => {
    const { twin, stripe: other } = await beginTwin();
    await other.customers.create();
    await twin.advance(inDays(31));
    expect((await other.events.list()).data).toEqual([]);
    await twin.close();
  });
});

describe('a customer', () => {
  it('is updated, and refused a card that is declined', async () => {
    const { id } = await addCustomer(scene.stripe);
    const cleared = await scene.stripe.customers.update(id, { email: '', description: 'A learner' });
    expect(cleared).toMatchObject({ email: null, description: 'A learner' });
    const declined = scene.stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: id });
    expect(await errorOf(declined)).toMatchObject({ statusCode: 402 });
  });

  it('takes its subscriptions along when it is deleted', async () => {
    const customer = await addCustomer(scene.stripe);
    const subscription = await scene.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: scene.plans.plus.id, quantity: 2 }],
    });
    expect(itemOf(subscription).quantity).toBe(2);
    await scene.stripe.customers.del(customer.id);
    const ended = await scene.stripe.subscriptions.retrieve(subscription.id, { expand: ['customer'] });
    expect(ended).toMatchObject({ status: 'canceled', customer: { deleted: true } });
  });
});
