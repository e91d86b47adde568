import { beforeEach, describe, expect, it } from 'vitest';
import { addCustomer, errorOf, idOf, inDays, isoDay, itemOf } from './test-kit/begin.ts';
import { setUpTwin } from './test-kit/twin-scene.ts';

const scene = setUpTwin({ startsAt: new Date('2027-03-01T00:00:00Z') });
let subscriptionId: string;
let customerId: string;
beforeEach(async () => {
  customerId = (await addCustomer(scene.stripe)).id;
  const { id } = await scene.stripe.subscriptions.create({
    customer: customerId,
    items: [{ price: scene.plans.plus.id }],
  });
  subscriptionId = id;
});

const change = async (price: string, more: object = {}) => {
  const { id } = itemOf(await scene.stripe.subscriptions.retrieve(subscriptionId));
  return scene.stripe.subscriptions.update(subscriptionId, {
    items: [{ id, price }],
    expand: ['latest_invoice'],
    ...more,
  });
};

describe('a change of price', () => {
  // 1 March to 1 April has 31 days.
  it('asks at once for the rest of the period', async () => {
    await scene.twin.advance(inDays(15.5));
    const changed = await change(scene.plans.pro.id, { proration_behavior: 'always_invoice' });
    expect(changed.latest_invoice).toMatchObject({
      status: 'paid',
      total: 600,
      billing_reason: 'subscription_update',
      lines: { data: [{ amount: -600 }, { amount: 1_200 }] },
    });
    expect(itemOf(changed).price.id).toBe(scene.plans.pro.id);
    const { data } = await scene.stripe.events.list({ type: 'customer.subscription.updated', limit: 1 });
    expect(data[0]?.data.previous_attributes).toMatchObject({
      items: { data: [{ price: { id: scene.plans.plus.id } }] },
      latest_invoice: expect.stringMatching(/^in_/),
    });
    expect(isoDay(itemOf(changed).current_period_end)).toBe('2027-04-01');
  });

  it('asks for it with the next invoice by default, and never with `none`', async () => {
    await scene.twin.advance(inDays(15.5));
    await change(scene.plans.pro.id);
    await scene.twin.advance(inDays(16));
    const { data } = await scene.stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total }) => total)).toEqual([3_000, 1_200]);
    await change(scene.plans.plus.id, { proration_behavior: 'none' });
    await scene.twin.advance(inDays(31));
    const { data: later } = await scene.stripe.invoices.list({ subscription: subscriptionId, limit: 1 });
    expect(later[0]?.total).toBe(1_200);
  });

  it('keeps what a cheaper price gives back, and uses it for the next invoices', async () => {
    await change(scene.plans.pro.id, { proration_behavior: 'none' });
    await scene.twin.advance(inDays(15.5));
    const changed = await change(scene.plans.plus.id, { proration_behavior: 'always_invoice' });
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: -600, amount_due: 0, ending_balance: -600 });
    await scene.twin.advance(inDays(16));
    const { data } = await scene.stripe.invoices.list({ subscription: subscriptionId, limit: 1 });
    expect(data[0]).toMatchObject({ total: 1_200, starting_balance: -600, amount_due: 600, status: 'paid' });
    expect(await scene.stripe.customers.retrieve(customerId)).toMatchObject({ balance: 0 });
  });

  it('begins a new cycle where the interval is another', async () => {
    await scene.twin.advance(inDays(15.5));
    const changed = await change(scene.plans.proYearly.id);
    expect(changed.latest_invoice).toMatchObject({ status: 'paid', total: 24_000 - 600 });
    expect(isoDay(itemOf(changed).current_period_end)).toBe('2028-03-16');
  });

  it('leaves all as it was where the card declines and nothing may stay unpaid', async () => {
    scene.twin.setCards(customerId, 'decline');
    const more = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' };
    expect(await errorOf(change(scene.plans.pro.id, more))).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const same = await scene.stripe.subscriptions.retrieve(subscriptionId);
    expect([same.status, itemOf(same).price.id]).toEqual(['active', scene.plans.plus.id]);
    const allowed = await change(scene.plans.pro.id, { proration_behavior: 'always_invoice' });
    expect(allowed).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open' } });
  });

  it('refuses a second item, another currency and a price that is no longer sold', async () => {
    const { stripe } = scene;
    const asked = stripe.subscriptions.update(subscriptionId, { items: [{ price: scene.plans.pro.id }] });
    expect(await errorOf(asked)).toMatchObject({ code: 'twin_unmodelled', param: 'items' });
    const euro = await stripe.prices.create({
      product: idOf(scene.plans.pro.product),
      unit_amount: 900,
      currency: 'eur',
      recurring: { interval: 'month' },
    });
    expect(await errorOf(change(euro.id))).toMatchObject({ statusCode: 400, param: 'items[0][price]' });
    await stripe.prices.update(scene.plans.pro.id, { active: false });
    const anew = stripe.subscriptions.create({ customer: customerId, items: [{ price: scene.plans.pro.id }] });
    expect(await errorOf(anew)).toMatchObject({ statusCode: 400, code: 'price_inactive' });
    expect(await errorOf(change(scene.plans.pro.id))).toMatchObject({ statusCode: 400, param: 'items[0][price]' });
  });
});

describe('a price that is changed itself', () => {
  it('is so on the subscriptions that have it', async () => {
    const { stripe } = scene;
    await stripe.prices.update(scene.plans.plus.id, { nickname: 'Plus, monthly', metadata: { plan: 'PLUS' } });
    const { price } = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
    expect(price).toMatchObject({ nickname: 'Plus, monthly', metadata: { plan: 'PLUS' } });
  });
});

describe('a subscription that is cancelled', () => {
  it('gives the unused time back as credit where that is asked for', async () => {
    const { stripe, twin } = scene;
    await twin.advance(inDays(15.5));
    const ended = await stripe.subscriptions.cancel(subscriptionId, { prorate: true, invoice_now: true });
    expect(ended.status).toBe('canceled');
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: -600 });
  });
});

describe('a schedule', () => {
  it('changes the price at the end of the period, and lets the subscription go', async () => {
    const { stripe, twin } = scene;
    await change(scene.plans.pro.id, { proration_behavior: 'none' });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const [phase] = schedule.phases;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: scene.plans.pro.id, quantity: 1 }],
          start_date: phase?.start_date ?? 0,
          end_date: phase?.end_date ?? 0,
        },
        { items: [{ price: scene.plans.plus.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    const planned = await stripe.subscriptions.retrieve(subscriptionId);
    expect([planned.schedule, itemOf(planned).price.id]).toEqual([schedule.id, scene.plans.pro.id]);
    const cancelling = stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    expect(await errorOf(cancelling)).toMatchObject({ statusCode: 400, message: expect.stringContaining(schedule.id) });
    await twin.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const changed = await stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] });
    expect(itemOf(changed).price.id).toBe(scene.plans.plus.id);
    expect(changed.latest_invoice).toMatchObject({ total: 1_200, status: 'paid' });
    expect((await stripe.invoices.list({ subscription: subscriptionId })).data).toHaveLength(2);
    await twin.advanceTo(new Date('2027-05-02T00:00:00Z'));
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'released' });
    expect((await stripe.subscriptions.retrieve(subscriptionId)).schedule).toBeNull();
  });

  it('bills a yearly price that begins at the end of a month', async () => {
    const { stripe, twin } = scene;
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        { items: [{ price: scene.plans.plus.id }], end_date: phases[0]?.end_date ?? 0 },
        { items: [{ price: scene.plans.proYearly.id }] },
      ],
    });
    await twin.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const { data } = await stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total }) => total)).toEqual([24_000, 1_200]);
    const changed = await stripe.subscriptions.retrieve(subscriptionId);
    expect(isoDay(itemOf(changed).current_period_end)).toBe('2028-04-01');
  });

  it('changes the price in the middle of a period as its phase says', async () => {
    const { stripe, twin } = scene;
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const middle = Math.floor((twin.now().getTime() + inDays(15.5)) / 1_000);
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        { items: [{ price: scene.plans.plus.id }], end_date: middle },
        { items: [{ price: scene.plans.pro.id }], proration_behavior: 'always_invoice' },
      ],
    });
    await twin.advance(inDays(16));
    const { data } = await stripe.invoices.list({ subscription: subscriptionId });
    expect(data.map(({ total, status }) => [total, status])).toEqual([
      [600, 'paid'],
      [1_200, 'paid'],
    ]);
  });

  it('cannot change what already runs', async () => {
    const { stripe } = scene;
    const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    const end = phases[0]?.end_date ?? 0;
    const asked = stripe.subscriptionSchedules.update(id, {
      phases: [{ items: [{ price: scene.plans.pro.id }], end_date: end }],
    });
    expect(await errorOf(asked)).toMatchObject({ code: 'twin_unmodelled' });
    await stripe.subscriptionSchedules.update(id, {
      end_behavior: 'cancel',
      phases: [{ items: [{ price: scene.plans.plus.id }], end_date: end }],
    });
    await scene.twin.advance(inDays(40));
    expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
    expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe('completed');
  });

  it('can be released before', async () => {
    const { stripe, twin } = scene;
    const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId });
    expect((await stripe.subscriptionSchedules.release(id)).released_subscription).toBe(subscriptionId);
    await twin.advance(inDays(40));
    expect(itemOf(await stripe.subscriptions.retrieve(subscriptionId)).price.id).toBe(scene.plans.plus.id);
    expect(await errorOf(stripe.subscriptionSchedules.release(id))).toMatchObject({ statusCode: 400 });
  });
});

describe('a refund', () => {
  it('gives back a part and then the rest, and no more', async () => {
    const { stripe } = scene;
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId);
    const { data } = await stripe.invoices.list({ subscription: subscriptionId, expand: ['data.payments'] });
    const intent = idOf(data.find(({ id }) => id === idOf(invoice))?.payments?.data[0]?.payment.payment_intent);
    const part = await stripe.refunds.create({ payment_intent: intent, amount: 200, reason: 'requested_by_customer' });
    expect(part).toMatchObject({ amount: 200, status: 'succeeded', payment_intent: intent });
    await stripe.refunds.create({ charge: idOf(part.charge) });
    expect((await stripe.charges.list({ payment_intent: intent })).data[0]).toMatchObject({
      amount_refunded: 1_200,
      refunded: true,
      refunds: { data: [{ amount: 1_000 }, { amount: 200 }] },
    });
    expect(await errorOf(stripe.refunds.create({ charge: idOf(part.charge) }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const { data: events } = await stripe.events.list({ type: 'charge.refunded' });
    expect(events).toHaveLength(2);
    expect(events[0]?.data).toMatchObject({ previous_attributes: { amount_refunded: 200, refunded: false } });
  });
});
