import type { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { addCustomer, errorOf, requireId, daysToMs, onlyItemOf, sendForm } from '../test-kit/connected-fake.ts';
import { useStripeFixture } from '../test-kit/stripe-fixture.ts';

const fixture = useStripeFixture();

const createCheckout = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  fixture.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: fixture.plans.plus.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/plans',
    client_reference_id: 'learner-1',
    ...more,
  });
const fetchPage = async (url: string | null): Promise<string> => (await fetch(url ?? '')).text();

describe('the checkout page', () => {
  it('shows test mode, product and price', async () => {
    const { url } = await createCheckout();
    const shown = await fetchPage(url);
    for (const said of [
      'Stripe fake: test mode, no real money',
      'Parley Plus',
      '$12.00',
      'per month',
      'Decline the card',
    ])
      expect(shown).toContain(said);
    expect(shown).toContain('href="http://127.0.0.1:9/plans"');
    expect(shown).toContain('<label for="email">');
  });

  it('creates a customer and a subscription and redirects', async () => {
    const session = await createCheckout({
      subscription_data: { metadata: { userId: 'u1' } },
      metadata: { plan: 'PLUS' },
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 1_200, currency: 'usd' });
    const answer = await sendForm(session.url ?? '', { act: 'pay', email: 'ada@example.com' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://127.0.0.1:9/done?session=${session.id}`);
    const done = await fixture.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'customer', 'line_items'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'learner-1',
      metadata: { plan: 'PLUS' },
      customer: { email: 'ada@example.com' },
      subscription: { status: 'active', metadata: { userId: 'u1' } },
      line_items: { data: [{ amount_total: 1_200, price: { id: fixture.plans.plus.id } }] },
      url: null,
    });
    const { data } = await fixture.stripe.events.list({ type: 'checkout.session.completed' });
    expect(data[0]?.data.object).toMatchObject({ id: session.id, status: 'complete' });
    expect((await sendForm(session.url ?? '', { act: 'pay', email: 'ada@example.com' })).status).toBe(410);
  });

  it('lets a card be declined and tried again', async () => {
    const { id, url } = await createCheckout({ customer_email: 'ada@example.com' });
    const declined = await sendForm(url ?? '', { act: 'decline' });
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('role="alert"');
    expect(await fixture.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
    expect((await fixture.stripe.subscriptions.list()).data).toEqual([]);
    expect((await sendForm(url ?? '', { act: 'pay' })).status).toBe(303);
  });

  it('starts a trial without a card when none is required', async () => {
    const customer = await fixture.stripe.customers.create({ email: 'ada@example.com' });
    const session = await createCheckout({
      customer: customer.id,
      payment_method_collection: 'if_required',
      subscription_data: {
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    });
    const shown = await fetchPage(session.url);
    expect(shown).toContain('Free for 7 days, then $12.00 per month');
    expect(shown).not.toContain('Decline');
    await sendForm(session.url ?? '', { act: 'pay' });
    const done = await fixture.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] });
    expect(done).toMatchObject({
      payment_status: 'no_payment_required',
      customer: customer.id,
      subscription: { status: 'trialing', default_payment_method: null },
    });
    await fixture.fake.advance(daysToMs(8));
    const { data } = await fixture.stripe.subscriptions.list({ customer: customer.id, status: 'all' });
    expect(data[0]?.status).toBe('canceled');
  });

  it('closes when the session expires', async () => {
    const first = await createCheckout();
    await fixture.stripe.checkout.sessions.expire(first.id);
    expect((await sendForm(first.url ?? '', { act: 'pay', email: 'a@b.c' })).status).toBe(410);
    const second = await createCheckout();
    await fixture.fake.advance(daysToMs(1));
    expect(await fixture.stripe.checkout.sessions.retrieve(second.id)).toMatchObject({ status: 'expired', url: null });
    expect((await fixture.stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(2);
    expect(await errorOf(fixture.stripe.checkout.sessions.expire(second.id))).toMatchObject({ statusCode: 400 });
  });

  it('escapes a product name', async () => {
    const product = await fixture.stripe.products.create({ name: '<script>alert(1)</script>' });
    const price = await fixture.stripe.prices.create({
      product: product.id,
      unit_amount: 500,
      currency: 'jpy',
      recurring: { interval: 'month', interval_count: 3 },
    });
    const shown = await fetchPage((await createCheckout({ line_items: [{ price: price.id, quantity: 1 }] })).url);
    expect(shown).not.toContain('<script>');
    expect(shown).toContain('¥500');
    expect(shown).toContain('every 3 months');
  });

  it('rejects sessions that Stripe rejects', async () => {
    const oneTime = await fixture.stripe.prices.create({
      product: requireId(fixture.plans.plus.product),
      unit_amount: 100,
      currency: 'usd',
    });
    const refused = async (more: Partial<Stripe.Checkout.SessionCreateParams>) =>
      (await errorOf(createCheckout(more))).param;
    expect(await refused({ success_url: 'done' })).toBe('success_url');
    expect(await refused({ line_items: [{ price: 'price_none', quantity: 1 }] })).toBe('line_items[0][price]');
    expect(await refused({ line_items: [{ price: oneTime.id, quantity: 1 }] })).toBe('items');
    expect(await refused({ line_items: [{ price: fixture.plans.plus.id }] })).toBe('line_items[0][quantity]');
    expect(await refused({ customer: 'cus_none' })).toBe('customer');
    expect(await refused({ expires_at: 5 })).toBe('expires_at');
    expect(await refused({ customer_email: 'nobody' })).toBe('customer_email');
  });
});

describe('the billing portal', () => {
  const openPortal = async (price: string) => {
    const { id: customer } = await addCustomer(fixture.stripe);
    const { id } = await fixture.stripe.subscriptions.create({ customer, items: [{ price }] });
    const { url } = await fixture.stripe.billingPortal.sessions.create({
      customer,
      return_url: 'http://127.0.0.1:9/account',
    });
    const act = (name: string, more: Record<string, string> = {}) =>
      sendForm(url, { act: name, subscription: id, ...more });
    const read = () => fixture.stripe.subscriptions.retrieve(id);
    return { customer, id, url, act, read };
  };

  it('shows the plan, other plans, invoices and a link back', async () => {
    const { url } = await openPortal(fixture.plans.plus.id);
    // A browser shows line breaks in the page's source as spaces.
    const shown = (await fetchPage(url)).replaceAll(/\s+/g, ' ');
    for (const said of [
      'no real money',
      'Parley Plus',
      'Parley Pro, $240.00 per year',
      'January 31, 2027: $12.00, paid',
    ])
      expect(shown).toContain(said);
    expect(shown).toContain('href="http://127.0.0.1:9/account"');
    const invoice = /\/invoices\/in_\w+/.exec(shown)?.[0] ?? '';
    expect(await fetchPage(`${fixture.fake.url}${invoice}`)).toContain('1 × Parley Plus');
  });

  it('cancels at the end of the period and undoes it', async () => {
    const { act, read } = await openPortal(fixture.plans.plus.id);
    expect((await act('cancel')).status).toBe(303);
    const request = await read();
    expect([request.cancel_at, request.cancel_at_period_end]).toEqual([onlyItemOf(request).current_period_end, false]);
    await act('keep');
    expect((await read()).cancel_at).toBeNull();
    await act('cancel');
    await fixture.fake.advance(daysToMs(30));
    expect((await read()).status).toBe('canceled');
  });

  it('upgrades at once and downgrades at the end of the period', async () => {
    const { act, read } = await openPortal(fixture.plans.plus.id);
    await act('switch', { price: fixture.plans.pro.id });
    expect(onlyItemOf(await read()).price.id).toBe(fixture.plans.pro.id);
    await act('switch', { price: fixture.plans.plus.id });
    const planned = await read();
    expect([onlyItemOf(planned).price.id, planned.schedule === null]).toEqual([fixture.plans.pro.id, false]);
    await fixture.fake.advance(daysToMs(30));
    expect(onlyItemOf(await read()).price.id).toBe(fixture.plans.plus.id);
    await fixture.fake.advance(daysToMs(40));
    expect((await read()).schedule).toBeNull();
  });

  it('accepts another card, which pays open invoices', async () => {
    const { act, read, id } = await openPortal(fixture.plans.plus.id);
    await act('add_declining_card');
    await fixture.fake.advance(daysToMs(30));
    expect((await read()).status).toBe('past_due');
    const { data } = await fixture.stripe.invoices.list({ subscription: id, limit: 1 });
    expect((await sendForm(data[0]?.hosted_invoice_url ?? '', {})).status).toBe(402);
    await act('add_card');
    expect((await read()).status).toBe('active');
  });

  it('manages only the customer’s own subscriptions', async () => {
    const mine = await openPortal(fixture.plans.plus.id);
    const theirs = await openPortal(fixture.plans.plus.id);
    expect((await mine.act('cancel', { subscription: theirs.id })).status).toBe(402);
    expect((await theirs.read()).cancel_at).toBeNull();
    expect((await fetch(`${fixture.fake.url}/portal/bps_none`)).status).toBe(404);
  });
});
