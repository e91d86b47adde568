import type { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { addCustomer, errorOf, idOf, inDays, itemOf, sendForm } from './test-kit/begin.ts';
import { setUpTwin } from './test-kit/twin-scene.ts';

const scene = setUpTwin();

const beginCheckout = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  scene.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: scene.plans.plus.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/plans',
    client_reference_id: 'learner-1',
    ...more,
  });
const look = async (url: string | null): Promise<string> => (await fetch(url ?? '')).text();

describe('the page of a checkout', () => {
  it('says what it is, what is sold and for how much', async () => {
    const { url } = await beginCheckout();
    const shown = await look(url);
    for (const said of [
      'Stripe twin: test mode, no real money',
      'Parley Plus',
      '$12.00',
      'per month',
      'Decline the card',
    ])
      expect(shown).toContain(said);
    expect(shown).toContain('href="http://127.0.0.1:9/plans"');
    expect(shown).toContain('<label for="email">');
  });

  it('makes a customer and a subscription, and leads on', async () => {
    const session = await beginCheckout({
      subscription_data: { metadata: { userId: 'u1' } },
      metadata: { plan: 'PLUS' },
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 1_200, currency: 'usd' });
    const answer = await sendForm(session.url ?? '', { act: 'pay', email: 'ada@example.com' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://127.0.0.1:9/done?session=${session.id}`);
    const done = await scene.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'customer', 'line_items'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'learner-1',
      metadata: { plan: 'PLUS' },
      customer: { email: 'ada@example.com' },
      subscription: { status: 'active', metadata: { userId: 'u1' } },
      line_items: { data: [{ amount_total: 1_200, price: { id: scene.plans.plus.id } }] },
      url: null,
    });
    const { data } = await scene.stripe.events.list({ type: 'checkout.session.completed' });
    expect(data[0]?.data.object).toMatchObject({ id: session.id, status: 'complete' });
    expect((await sendForm(session.url ?? '', { act: 'pay', email: 'ada@example.com' })).status).toBe(410);
  });

  it('lets the card be declined, and tried again', async () => {
    const { id, url } = await beginCheckout({ customer_email: 'ada@example.com' });
    const declined = await sendForm(url ?? '', { act: 'decline' });
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('role="alert"');
    expect(await scene.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
    expect((await scene.stripe.subscriptions.list()).data).toEqual([]);
    expect((await sendForm(url ?? '', { act: 'pay' })).status).toBe(303);
  });

  it('starts a trial without a card where none is required', async () => {
    const customer = await scene.stripe.customers.create({ email: 'ada@example.com' });
    const session = await beginCheckout({
      customer: customer.id,
      payment_method_collection: 'if_required',
      subscription_data: {
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    });
    const shown = await look(session.url);
    expect(shown).toContain('Free for 7 days, then $12.00 per month');
    expect(shown).not.toContain('Decline');
    await sendForm(session.url ?? '', { act: 'pay' });
    const done = await scene.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(done).toMatchObject({
      payment_status: 'no_payment_required',
      customer: customer.id,
      subscription: { status: 'trialing', default_payment_method: null },
    });
    await scene.twin.advance(inDays(8));
    const { data } = await scene.stripe.subscriptions.list({ customer: customer.id, status: 'all' });
    expect(data[0]?.status).toBe('canceled');
  });

  it('closes when the session expires', async () => {
    const first = await beginCheckout();
    await scene.stripe.checkout.sessions.expire(first.id);
    expect((await sendForm(first.url ?? '', { act: 'pay', email: 'a@b.c' })).status).toBe(410);
    const second = await beginCheckout();
    await scene.twin.advance(inDays(1));
    expect(await scene.stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'expired', url: null });
    expect((await scene.stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(2);
    expect(await errorOf(scene.stripe.checkout.sessions.expire(second.id))).toMatchObject({ statusCode: 400 });
  });

  it('shows a name as text, whatever it holds', async () => {
    const product = await scene.stripe.products.create({ name: '<script>alert(1)</script>' });
    const price = await scene.stripe.prices.create({
      product: product.id,
      unit_amount: 500,
      currency: 'jpy',
      recurring: { interval: 'month', interval_count: 3 },
    });
    const shown = await look((await beginCheckout({ line_items: [{ price: price.id, quantity: 1 }] })).url);
    expect(shown).not.toContain('<script>');
    expect(shown).toContain('¥500');
    expect(shown).toContain('every 3 months');
  });

  it('refuses sessions that Stripe refuses', async () => {
    const oneTime = await scene.stripe.prices.create({
      product: idOf(scene.plans.plus.product),
      unit_amount: 100,
      currency: 'usd',
    });
    const refused = async (more: Partial<Stripe.Checkout.SessionCreateParams>) =>
      (await errorOf(beginCheckout(more))).param;
    expect(await refused({ success_url: 'done' })).toBe('success_url');
    expect(await refused({ line_items: [{ price: 'price_none', quantity: 1 }] })).toBe('line_items[0][price]');
    expect(await refused({ line_items: [{ price: oneTime.id, quantity: 1 }] })).toBe('items');
    expect(await refused({ line_items: [{ price: scene.plans.plus.id }] })).toBe('line_items[0][quantity]');
    expect(await refused({ customer: 'cus_none' })).toBe('customer');
    expect(await refused({ expires_at: 5 })).toBe('expires_at');
    expect(await refused({ customer_email: 'nobody' })).toBe('customer_email');
  });
});

describe('the billing portal', () => {
  const openPortal = async (price: string) => {
    const { id: customer } = await addCustomer(scene.stripe);
    const { id } = await scene.stripe.subscriptions.create({ customer, items: [{ price }] });
    const { url } = await scene.stripe.billingPortal.sessions.create({
      customer,
      return_url: 'http://127.0.0.1:9/account',
    });
    const act = (name: string, more: Record<string, string> = {}) =>
      sendForm(url, { act: name, subscription: id, ...more });
    const read = () => scene.stripe.subscriptions.retrieve(id);
    return { customer, id, url, act, read };
  };

  it('shows the plan, the other plans, the invoices and the way back', async () => {
    const { url } = await openPortal(scene.plans.plus.id);
    const shown = await look(url);
    for (const said of [
      'no real money',
      'Parley Plus',
      'Parley Pro, $240.00 per year',
      'January 31, 2027: $12.00, paid',
    ])
      expect(shown).toContain(said);
    expect(shown).toContain('href="http://127.0.0.1:9/account"');
    const invoice = /\/invoices\/in_\w+/.exec(shown)?.[0] ?? '';
    expect(await look(`${scene.twin.url}${invoice}`)).toContain('1 × Parley Plus');
  });

  it('cancels at the end of the period, as a moment, and takes it back', async () => {
    const { act, read } = await openPortal(scene.plans.plus.id);
    expect((await act('cancel')).status).toBe(303);
    const asked = await read();
    expect([asked.cancel_at, asked.cancel_at_period_end]).toEqual([itemOf(asked).current_period_end, false]);
    await act('keep');
    expect((await read()).cancel_at).toBeNull();
    await act('cancel');
    await scene.twin.advance(inDays(30));
    expect((await read()).status).toBe('canceled');
  });

  it('switches to a dearer plan at once and to a cheaper one at the end of the period', async () => {
    const { act, read } = await openPortal(scene.plans.plus.id);
    await act('switch', { price: scene.plans.pro.id });
    expect(itemOf(await read()).price.id).toBe(scene.plans.pro.id);
    await act('switch', { price: scene.plans.plus.id });
    const planned = await read();
    expect([itemOf(planned).price.id, planned.schedule === null]).toEqual([scene.plans.pro.id, false]);
    await scene.twin.advance(inDays(30));
    expect(itemOf(await read()).price.id).toBe(scene.plans.plus.id);
    await scene.twin.advance(inDays(40));
    expect((await read()).schedule).toBeNull();
  });

  it('takes another card, which pays what is owed', async () => {
    const { act, read, id } = await openPortal(scene.plans.plus.id);
    await act('add_declining_card');
    await scene.twin.advance(inDays(30));
    expect((await read()).status).toBe('past_due');
    const { data } = await scene.stripe.invoices.list({ subscription: id, limit: 1 });
    expect((await sendForm(data[0]?.hosted_invoice_url ?? '', {})).status).toBe(402);
    await act('add_card');
    expect((await read()).status).toBe('active');
  });

  it('is for the customer’s own subscriptions', async () => {
    const mine = await openPortal(scene.plans.plus.id);
    const theirs = await openPortal(scene.plans.plus.id);
    expect((await mine.act('cancel', { subscription: theirs.id })).status).toBe(402);
    expect((await theirs.read()).cancel_at).toBeNull();
    expect((await fetch(`${scene.twin.url}/portal/bps_none`)).status).toBe(404);
  });
});
