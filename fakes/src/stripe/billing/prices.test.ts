import { beforeEach, describe, expect, it } from 'vitest';
import { addCustomer, errorOf, requireId, daysToMs, isoDay, onlyItemOf } from '../test-kit/connected-fake.ts';
import { useStripeFixture } from '../test-kit/stripe-fixture.ts';

const fixture = useStripeFixture({ startsAt: new Date('2027-03-01T00:00:00Z') });
let subscriptionId: string;
let customerId: string;
beforeEach(async () => {
  customerId = (await addCustomer(fixture.stripe)).id;
  const { id } = await fixture.stripe.subscriptions.create({
    customer: customerId,
    items: [{ price: fixture.plans.plus.id }],
  });
  subscriptionId = id;
});

const change = async (price: string, more: object = {}) => {
  const { id } = onlyItemOf(await fixture.stripe.subscriptions.retrieve(subscriptionId));
  return fixture.stripe.subscriptions.update(subscriptionId, {
    items: [{ id, price }],
    expand: ['latest_invoice'],
    ...more,
  });
};

describe('a price change', () => {
  // March has 31 days.
  it('charges the rest of the period at once', async () => {
    await fixture.fake.advance(daysToMs(15.5));
    const changed = await change(fixture.plans.pro.id, { proration_behavior: 'always_invoice' });
    expect(changed.latest_invoice).toMatchObject({
      status: 'paid',
      total: 600,
      billing_reason: 'subscription_update',
      lines: { data: [{ amount: -600 }, { amount: 1_200 }] },
    });
    expect(onlyItemOf(changed).price.id).toBe(fixture.plans.pro.id);
    const { data } = await fixture.stripe.events.list({ type: 'customer.subscription.updated', limit: 1 });
    expect(data[0]?.data.previous_attributes).toMatchObject({
      items: { data: [{ price: { id: fixture.plans.plus.id } }] },
      latest_invoice: expect.stringMatching(/^in_/),
    });
    expect(isoDay(onlyItemOf(changed).current_period_end)).toBe('2027-04-01');
  });

  it('charges with the next invoice by default and never with `none`', async () => {
    await fixture.fake.advance(daysToMs(15.5));
    await change(fixture.plans.pro.id);
    await fixture.fake.advance(daysToMs(16));
    const { data } = await fixture.stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total }) => total)).toEqual([3_000, 1_200]);
    await change(fixture.plans.plus.id, { proration_behavior: 'none' });
    await fixture.fake.advance(daysToMs(31));
    const { data: later } = await fixture.stripe.invoices.list({ subscription: subscriptionId, limit: 1 });
    expect(later[0]?.total).toBe(1_200);
  });

  it('credits a downgrade and uses the credit for later invoices', async () => {
    await change(fixture.plans.pro.id, { proration_behavior: 'none' });
    await fixture.fake.advance(daysToMs(15.5));
    const changed = await change(fixture.plans.plus.id, { proration_behavior: 'always_invoice' });
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: -600, amount_due: 0, ending_balance: -600 });
    await fixture.fake.advance(daysToMs(16));
    const { data } = await fixture.stripe.invoices.list({ subscription: subscriptionId, limit: 1 });
    expect(data[0]).toMatchObject({ total: 1_200, starting_balance: -600, amount_due: 600, status: 'paid' });
    expect(await fixture.stripe.customers.retrieve(customerId)).toMatchObject({ balance: 0 });
  });

  it('starts a new cycle when the interval changes', async () => {
    await fixture.fake.advance(daysToMs(15.5));
    const changed = await change(fixture.plans.proYearly.id);
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: 24_000 - 600 });
    expect(isoDay(onlyItemOf(changed).current_period_end)).toBe('2028-03-16');
  });

  it('changes nothing when the card declines and payment is required', async () => {
    fixture.fake.setCards(customerId, 'decline');
    const more = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' };
    expect(await errorOf(change(fixture.plans.pro.id, more))).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const same = await fixture.stripe.subscriptions.retrieve(subscriptionId);
    expect([same.status, onlyItemOf(same).price.id]).toEqual(['active', fixture.plans.plus.id]);
    const allowed = await change(fixture.plans.pro.id, { proration_behavior: 'always_invoice' });
    expect(allowed).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open' } });
  });

  it('rejects a second item, another currency and an inactive price', async () => {
    const { stripe } = fixture;
    const request = stripe.subscriptions.update(subscriptionId, { items: [{ price: fixture.plans.pro.id }] });
    expect(await errorOf(request)).toMatchObject({ code: 'fake_unmodelled', param: 'items' });
    const euro = await stripe.prices.create({
      product: requireId(fixture.plans.pro.product),
      unit_amount: 900,
      currency: 'eur',
      recurring: { interval: 'month' },
    });
    expect(await errorOf(change(euro.id))).toMatchObject({ statusCode: 400, param: 'items[0][price]' });
    await stripe.prices.update(fixture.plans.pro.id, { active: false });
    const creation = stripe.subscriptions.create({ customer: customerId, items: [{ price: fixture.plans.pro.id }] });
    expect(await errorOf(creation)).toMatchObject({ statusCode: 400, code: 'price_inactive' });
    expect(await errorOf(change(fixture.plans.pro.id))).toMatchObject({ statusCode: 400, param: 'items[0][price]' });
  });
});

describe('an updated price', () => {
  it('is updated on its subscriptions', async () => {
    const { stripe } = fixture;
    await stripe.prices.update(fixture.plans.plus.id, { nickname: 'Plus, monthly', metadata: { plan: 'PLUS' } });
    const { price } = onlyItemOf(await stripe.subscriptions.retrieve(subscriptionId));
    expect(price).toMatchObject({ nickname: 'Plus, monthly', metadata: { plan: 'PLUS' } });
  });
});

describe('a cancelled subscription', () => {
  it('credits unused time on request', async () => {
    const { stripe, fake } = fixture;
    await fake.advance(daysToMs(15.5));
    const ended = await stripe.subscriptions.cancel(subscriptionId, { prorate: true, invoice_now: true });
    expect(ended.status).toBe('canceled');
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: -600 });
  });
});

describe('a schedule', () => {
  it('changes the price at the end of the period and releases the subscription', async () => {
    const { stripe, fake } = fixture;
    await change(fixture.plans.pro.id, { proration_behavior: 'none' });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const [phase] = schedule.phases;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: fixture.plans.pro.id, quantity: 1 }],
          start_date: phase?.start_date ?? 0,
          end_date: phase?.end_date ?? 0,
        },
        { items: [{ price: fixture.plans.plus.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    const planned = await stripe.subscriptions.retrieve(subscriptionId);
    expect([planned.schedule, onlyItemOf(planned).price.id]).toEqual([schedule.id, fixture.plans.pro.id]);
    const cancelling = stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    expect(await errorOf(cancelling)).toMatchObject({ statusCode: 400, message: expect.stringContaining(schedule.id) });
    await fake.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const changed = await stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
    expect(onlyItemOf(changed).price.id).toBe(fixture.plans.plus.id);
    expect(changed.latest_invoice).toMatchObject({ total: 1_200, status: 'paid' });
    expect((await stripe.invoices.list({ subscription: subscriptionId })).data).toHaveLength(2);
    await fake.advanceTo(new Date('2027-05-02T00:00:00Z'));
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'released' });
    expect((await stripe.subscriptions.retrieve(subscriptionId)).schedule).toBeNull();
  });

  it('bills a yearly price that starts at the end of a month', async () => {
    const { stripe, fake } = fixture;
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        { items: [{ price: fixture.plans.plus.id }], end_date: phases[0]?.end_date ?? 0 },
        { items: [{ price: fixture.plans.proYearly.id }] },
      ],
    });
    await fake.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const { data } = await stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total }) => total)).toEqual([24_000, 1_200]);
    const changed = await stripe.subscriptions.retrieve(subscriptionId);
    expect(isoDay(onlyItemOf(changed).current_period_end)).toBe('2028-04-01');
  });

  it('changes the price within a period as its phase says', async () => {
    const { stripe, fake } = fixture;
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const middle = Math.floor((fake.now().getTime() + daysToMs(15.5)) / 1_000);
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        { items: [{ price: fixture.plans.plus.id }], end_date: middle },
        { items: [{ price: fixture.plans.pro.id }], proration_behavior: 'always_invoice' },
      ],
    });
    await fake.advance(daysToMs(16));
    const { data } = await stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total, status }) => [total, status])).toEqual([
      [600, 'paid'],
      [1_200, 'paid'],
    ]);
  });

  it('cannot change the current phase', async () => {
    const { stripe } = fixture;
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const end = phases[0]?.end_date ?? 0;
    const request = stripe.subscriptionSchedules.update(id, {
      phases: [{ items: [{ price: fixture.plans.pro.id }], end_date: end }],
    });
    expect(await errorOf(request)).toMatchObject({ code: 'fake_unmodelled' });
    await stripe.subscriptionSchedules.update(id, {
      end_behavior: 'cancel',
      phases: [{ items: [{ price: fixture.plans.plus.id }], end_date: end }],
    });
    await fixture.fake.advance(daysToMs(40));
    expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
    expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe('completed');
  });

  it('can be released early', async () => {
    const { stripe, fake } = fixture;
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    expect((await stripe.subscriptionSchedules.release(id)).released_subscription).toBe(subscriptionId);
    await fake.advance(daysToMs(40));
    expect(onlyItemOf(await stripe.subscriptions.retrieve(subscriptionId)).price.id).toBe(fixture.plans.plus.id);
    expect(await errorOf(stripe.subscriptionSchedules.release(id))).toMatchObject({ statusCode: 400 });
  });
});

describe('a refund', () => {
  it('is partial, then complete, and never more', async () => {
    const { stripe } = fixture;
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId);
    const { data } = await stripe.invoices.list({ subscription: subscriptionId, expand: ['data.payments'] });
    const intent = requireId(
      data.find(({ id }) => id === requireId(invoice))?.payments?.data[0]?.payment.payment_intent,
    );
    const part = await stripe.refunds.create({ payment_intent: intent, amount: 200, reason: 'requested_by_customer' });
    expect(part).toMatchObject({ amount: 200, status: 'succeeded', payment_intent: intent });
    await stripe.refunds.create({ charge: requireId(part.charge) });
    expect((await stripe.charges.list({ payment_intent: intent })).data[0]).toMatchObject({
      amount_refunded: 1_200,
      refunded: true,
      refunds: { data: [{ amount: 1_000 }, { amount: 200 }] },
    });
    expect(await errorOf(stripe.refunds.create({ charge: requireId(part.charge) }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const { data: events } = await stripe.events.list({ type: 'charge.refunded' });
    expect(events).toHaveLength(2);
    expect(events[0]?.data).toMatchObject({ previous_attributes: { amount_refunded: 200, refunded: false } });
  });
});
