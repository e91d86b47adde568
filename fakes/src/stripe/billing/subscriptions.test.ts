import { describe, expect, it } from 'vitest';
import {
  addCustomer,
  type ConnectedStripeFake,
  errorOf,
  requireId,
  daysToMs,
  isoDay,
  onlyItemOf,
} from '../test-kit/connected-fake.ts';
import { useStripeFixture } from '../test-kit/stripe-fixture.ts';

const fixture = useStripeFixture();

const typesOf = async ({ stripe }: ConnectedStripeFake): Promise<string[]> => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.toReversed().map(({ type }) => type);
};

async function subscribe({ stripe }: ConnectedStripeFake, price: string, card?: string) {
  const customer = await addCustomer(stripe, card);
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
}

describe('a paid subscription', () => {
  it('is active from its first invoice, with the period on the item', async () => {
    const { stripe } = fixture;
    const subscription = await subscribe(fixture, fixture.plans.plus.id);
    expect(subscription.status).toBe('active');
    expect(subscription).not.toHaveProperty('current_period_end');
    expect(isoDay(onlyItemOf(subscription).current_period_start)).toBe('2027-01-31');
    expect(isoDay(onlyItemOf(subscription).current_period_end)).toBe('2027-02-28');
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id, expand: ['data.payments'] })).data;
    expect(invoice).toMatchObject({ status: 'paid', total: 1_200, amount_paid: 1_200, amount_remaining: 0 });
    expect(invoice?.payments?.data[0]?.payment.payment_intent).toMatch(/^pi_/);
    expect((await typesOf(fixture)).filter((type) => !/^(product|price|customer\.updated)/.test(type))).toEqual([
      'customer.created',
      'payment_method.attached',
      'invoice.created',
      'customer.subscription.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
    ]);
    const { data } = await stripe.events.list({ type: 'invoice.finalized' });
    expect(data[0]?.data).not.toHaveProperty('previous_attributes');
  });

  it('is renewed on the last day of each month for a year', async () => {
    const { fake, stripe } = fixture;
    const { id } = await subscribe(fixture, fixture.plans.plus.id);
    const ends: (string | null)[] = [];
    for (let month = 0; month < 12; month += 1) {
      const { current_period_end: end } = onlyItemOf(await stripe.subscriptions.retrieve(id));
      ends.push(isoDay(end));
      await fake.advanceTo(new Date(end * 1_000 + daysToMs(0.1)));
    }
    expect(ends.slice(0, 5)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']);
    expect(ends.at(-1)).toBe('2028-01-31');
    const { data } = await stripe.invoices.list({ subscription: id, limit: 100 });
    expect(data).toHaveLength(13);
    expect(new Set(data.map(({ number }) => number)).size).toBe(13);
    expect(data.every(({ status, total }) => status === 'paid' && total === 1_200)).toBe(true);
    expect(data.map(({ billing_reason: reason }) => reason)).toContain('subscription_cycle');
  });

  it('keeps a renewal as a draft for an hour', async () => {
    const { fake, stripe } = fixture;
    const { id } = await subscribe(fixture, fixture.plans.plus.id);
    await fake.advanceTo(new Date('2027-02-28T10:30:00Z'));
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    expect(subscription.status).toBe('active');
    expect(subscription.latest_invoice).toMatchObject({ status: 'draft', total: 1_200 });
    await fake.advance(3_600_000);
    const { data } = await stripe.invoices.list({ subscription: id, limit: 1 });
    expect(data[0]?.status).toBe('paid');
  });

  it('ends at the end of its period unless the cancellation is undone', async () => {
    const { fake, stripe } = fixture;
    const { id } = await subscribe(fixture, fixture.plans.plus.id);
    const request = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(request).toMatchObject({ status: 'active', cancel_at_period_end: true });
    expect(isoDay(request.cancel_at)).toBe('2027-02-28');
    const kept = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(kept).toMatchObject({ cancel_at: null, canceled_at: null, cancel_at_period_end: false });
    await fake.advance(daysToMs(2));
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await fake.advance(daysToMs(40));
    const ended = await stripe.subscriptions.retrieve(id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'cancellation_requested' } });
    expect([isoDay(ended.canceled_at), isoDay(ended.ended_at)]).toEqual(['2027-02-02', '2027-02-28']);
    expect(await typesOf(fixture)).toContain('customer.subscription.deleted');
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  });

  it('ends at once when cancelled and cannot be cancelled again', async () => {
    const { stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    const ended = await stripe.subscriptions.cancel(id, { cancellation_details: { feedback: 'too_expensive' } });
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { feedback: 'too_expensive' } });
    expect(await errorOf(stripe.subscriptions.cancel(id))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect((await stripe.subscriptions.list({ customer: requireId(customer) })).data).toHaveLength(0);
    expect((await stripe.subscriptions.list({ customer: requireId(customer), status: 'all' })).data).toHaveLength(1);
  });

  it('is renewed without money while collection is paused', async () => {
    const { fake, stripe } = fixture;
    const { id } = await subscribe(fixture, fixture.plans.plus.id);
    const resumesAt = Math.floor(Date.parse('2027-04-05T00:00:00Z') / 1_000);
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumesAt } });
    await fake.advanceTo(new Date('2027-05-02T00:00:00Z'));
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'paid']);
    expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull();
  });
});

describe('a second subscription', () => {
  it('is refused in another currency while the first runs', async () => {
    const { stripe } = fixture;
    const product = requireId(fixture.plans.plus.product);
    const inYen = await stripe.prices.create({
      product,
      unit_amount: 1_500,
      currency: 'jpy',
      recurring: { interval: 'month' },
    });
    const subscription = await subscribe(fixture, fixture.plans.plus.id);
    const customer = requireId(subscription.customer);
    const subscribeInYen = () => stripe.subscriptions.create({ customer, items: [{ price: inYen.id }] });
    expect((await errorOf(subscribeInYen())).message).toContain('cannot combine currencies');
    const checkOutInYen = () =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: inYen.id, quantity: 1 }],
        success_url: 'https://parley.example/done',
      });
    expect((await errorOf(checkOutInYen())).message).toContain('cannot combine currencies');
    await stripe.subscriptions.cancel(subscription.id);
    expect(await subscribeInYen()).toMatchObject({ status: 'active', currency: 'jpy' });
  });
});

describe('an unpaid subscription', () => {
  it('is incomplete at first and expires within a day', async () => {
    const { fake, stripe } = fixture;
    const { id, status } = await subscribe(fixture, fixture.plans.plus.id, 'pm_card_chargeCustomerFail');
    expect(status).toBe('incomplete');
    await fake.advance(daysToMs(1));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired');
  });

  it('does not start with error_if_incomplete or without a card', async () => {
    const { stripe } = fixture;
    const customer = await addCustomer(stripe, 'pm_card_chargeCustomerFail');
    const items = [{ price: fixture.plans.plus.id }];
    const request = { customer: customer.id, items, payment_behavior: 'error_if_incomplete' as const };
    expect(await errorOf(stripe.subscriptions.create(request))).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    const customerWithoutCard = await stripe.customers.create();
    expect(await errorOf(stripe.subscriptions.create({ customer: customerWithoutCard.id, items }))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
    });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(0);
  });

  it('is past due, retried for three weeks and then cancelled', async () => {
    const { fake, stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    fake.setCards(requireId(customer), 'decline');
    await fake.advanceTo(new Date('2027-03-01T00:00:00Z'));
    const late = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'customer'] });
    expect(late).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1 },
      customer: { delinquent: true },
    });
    await fake.advance(daysToMs(22));
    const ended = await stripe.subscriptions.retrieve(id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } });
    expect((await typesOf(fixture)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
  });

  it('is active again after a successful retry', async () => {
    const { fake, stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    fake.setCards(requireId(customer), 'decline');
    await fake.advanceTo(new Date('2027-03-01T00:00:00Z'));
    fake.setCards(requireId(customer), 'work');
    await fake.advance(daysToMs(4));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('stays past due until everything is paid, when so configured', async () => {
    await fixture.restart({ afterLastRetry: 'leave_past_due' });
    const { fake, stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    fake.setCards(requireId(customer), 'decline');
    await fake.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const statusOf = async () => (await stripe.subscriptions.retrieve(id)).status;
    const { data: owed } = await stripe.invoices.list({ subscription: id, status: 'open' });
    expect([owed.length, await statusOf()]).toEqual([2, 'past_due']);
    fake.setCards(requireId(customer), 'work');
    await stripe.invoices.pay(owed[0]?.id ?? '');
    expect(await statusOf()).toBe('past_due');
    await stripe.invoices.pay(owed[1]?.id ?? '');
    expect(await statusOf()).toBe('active');
  });

  it('is not retried once it is cancelled', async () => {
    const { fake, stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    fake.setCards(requireId(customer), 'decline');
    await fake.advanceTo(new Date('2027-03-01T00:00:00Z'));
    await stripe.subscriptions.cancel(id);
    await fake.advance(daysToMs(25));
    const { data } = await stripe.invoices.list({ subscription: id, limit: 1 });
    expect(data[0]).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: null });
  });

  it('can stay unpaid with uncollected drafts', async () => {
    await fixture.restart({ afterLastRetry: 'mark_unpaid' });
    const { fake, stripe } = fixture;
    const { id, customer } = await subscribe(fixture, fixture.plans.plus.id);
    fake.setCards(requireId(customer), 'decline');
    await fake.advance(daysToMs(70));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('unpaid');
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ status }) => status)).toEqual(['draft', 'open', 'paid']);
    fake.setCards(requireId(customer), 'work');
    await stripe.invoices.pay(data[1]?.id ?? '');
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('waits for its first payment and saves the card that made it', async () => {
    const { stripe } = fixture;
    const customer = await stripe.customers.create();
    const {
      id,
      status,
      latest_invoice: invoice,
    } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: fixture.plans.plus.id }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
    });
    expect(status).toBe('incomplete');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.invoices.pay(requireId(invoice), { payment_method: card.id });
    const paid = await stripe.subscriptions.retrieve(id);
    expect([paid.status, paid.default_payment_method]).toEqual(['active', card.id]);
  });

  it('reports a declined card when an invoice is paid by hand', async () => {
    const { stripe } = fixture;
    const { latest_invoice: invoice } = await subscribe(fixture, fixture.plans.plus.id, 'pm_card_chargeCustomerFail');
    expect(await errorOf(stripe.invoices.pay(requireId(invoice)))).toMatchObject({ statusCode: 402, charge: /^ch_/ });
  });
});

describe('a trial without a card', () => {
  const startTrial = async (missing: 'cancel' | 'pause' | 'create_invoice') => {
    const customer = await fixture.stripe.customers.create({ email: 'ada@example.com' });
    return fixture.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: fixture.plans.plus.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: missing } },
    });
  };

  it('costs nothing and is announced three days before its end', async () => {
    const { fake } = fixture;
    const trial = await startTrial('cancel');
    expect(trial.status).toBe('trialing');
    expect(trial.billing_cycle_anchor).toBe(trial.trial_end);
    expect([isoDay(trial.trial_end), isoDay(onlyItemOf(trial).current_period_end)]).toEqual([
      '2027-02-07',
      '2027-02-07',
    ]);
    await fake.advanceTo(new Date('2027-02-04T09:00:00Z'));
    expect(await typesOf(fixture)).not.toContain('customer.subscription.trial_will_end');
    await fake.advanceTo(new Date('2027-02-04T11:00:00Z'));
    expect((await typesOf(fixture)).filter((type) => type.endsWith('trial_will_end'))).toHaveLength(1);
  });

  it('is cancelled, paused or invoiced at its end, as configured', async () => {
    const { fake, stripe } = fixture;
    const ids = await Promise.all([startTrial('cancel'), startTrial('pause'), startTrial('create_invoice')]);
    await fake.advance(daysToMs(8));
    const after = await Promise.all(ids.map(({ id }) => stripe.subscriptions.retrieve(id)));
    expect(after.map(({ status }) => status)).toEqual(['canceled', 'paused', 'past_due']);
    expect(await typesOf(fixture)).toContain('customer.subscription.paused');
  });

  it('becomes paid when a card was added in time', async () => {
    const { fake, stripe } = fixture;
    const { id, customer } = await startTrial('cancel');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: requireId(customer) });
    await stripe.subscriptions.update(id, { default_payment_method: card.id });
    await fake.advance(daysToMs(8));
    const paid = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    expect(paid).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1_200 } });
    expect(isoDay(onlyItemOf(paid).current_period_end)).toBe('2027-03-07');
  });

  it('may change its plan for free', async () => {
    const { fake, stripe } = fixture;
    const { id, customer, items } = await startTrial('cancel');
    await fake.advance(daysToMs(3));
    const item = { id: items.data[0]?.id ?? '', price: fixture.plans.proYearly.id };
    await stripe.subscriptions.update(id, { items: [item], proration_behavior: 'always_invoice' });
    expect((await stripe.invoices.list({ subscription: id })).data.map(({ total }) => total)).toEqual([0]);
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: requireId(customer) });
    await stripe.subscriptions.update(id, { default_payment_method: card.id });
    await fake.advance(daysToMs(5));
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ total, status }) => [total, status])).toEqual([
      [24_000, 'paid'],
      [0, 'paid'],
    ]);
  });

  it('is not paused when a card was added in time', async () => {
    const { fake, stripe } = fixture;
    const { id, customer } = await startTrial('pause');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: requireId(customer) });
    await stripe.customers.update(requireId(customer), { invoice_settings: { default_payment_method: card.id } });
    await fake.advance(daysToMs(8));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('can end early and is then billed at once', async () => {
    const { stripe } = fixture;
    const customer = await addCustomer(stripe);
    const { id, trial_end: trialEnd } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: fixture.plans.plus.id }],
      trial_period_days: 7,
    });
    const paid = await stripe.subscriptions.update(id, { trial_end: 'now', expand: ['latest_invoice'] });
    expect(paid).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1_200 } });
    const { data } = await stripe.events.list({ type: 'customer.subscription.updated', limit: 1 });
    expect(data[0]?.data.previous_attributes).toMatchObject({ status: 'trialing', trial_end: trialEnd });
  });
});
