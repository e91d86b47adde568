import { describe, expect, it } from 'vitest';
import { addCustomer, type Begun, errorOf, idOf, inDays, isoDay, itemOf } from './test-kit/begin.ts';
import { setUpTwin } from './test-kit/twin-scene.ts';

const scene = setUpTwin();

const typesOf = async ({ stripe }: Begun): Promise<string[]> => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.toReversed().map(({ type }) => type);
};

async function subscribe({ stripe }: Begun, price: string, card?: string) {
  const customer = await addCustomer(stripe, card);
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price }] });
}

describe('a subscription that is paid', () => {
  it('is active from its first invoice on, with its period on the item', async () => {
    const { stripe } = scene;
    const subscription = await subscribe(scene, scene.plans.plus.id);
    expect(subscription.status).toBe('active');
    expect(subscription).not.toHaveProperty('current_period_end');
    expect(isoDay(itemOf(subscription).current_period_start)).toBe('2027-01-31');
    expect(isoDay(itemOf(subscription).current_period_end)).toBe('2027-02-28');
    const [invoice] = (await stripe.invoices.list({ subscription: subscription.id, expand: ['data.payments'] })).data;
    expect(invoice).toMatchObject({ status: 'paid', total: 1_200, amount_paid: 1_200, amount_remaining: 0 });
    expect(invoice?.payments?.data[0]?.payment.payment_intent).toMatch(/^pi_/);
    expect((await typesOf(scene)).filter((type) => !/^(product|price|customer\.updated)/.test(type))).toEqual([
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

  it('is renewed for a year on the last day of each month, as the anchor says', async () => {
    const { twin, stripe } = scene;
    const { id } = await subscribe(scene, scene.plans.plus.id);
    const ends: (string | null)[] = [];
    for (let month = 0; month < 12; month += 1) {
      const { current_period_end: end } = itemOf(await stripe.subscriptions.retrieve(id));
      ends.push(isoDay(end));
      await twin.advanceTo(new Date(end * 1_000 + inDays(0.1)));
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
    const { twin, stripe } = scene;
    const { id } = await subscribe(scene, scene.plans.plus.id);
    await twin.advanceTo(new Date('2027-02-28T10:30:00Z'));
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    expect(subscription.status).toBe('active');
    expect(subscription.latest_invoice).toMatchObject({ status: 'draft', total: 1_200 });
    await twin.advance(3_600_000);
    const { data } = await stripe.invoices.list({ subscription: id, limit: 1 });
    expect(data[0]?.status).toBe('paid');
  });

  it('ends at the end of its period when that was asked for, unless it is taken back', async () => {
    const { twin, stripe } = scene;
    const { id } = await subscribe(scene, scene.plans.plus.id);
    const asked = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(asked).toMatchObject({ status: 'active', cancel_at_period_end: true });
    expect(isoDay(asked.cancel_at)).toBe('2027-02-28');
    const kept = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(kept).toMatchObject({ cancel_at: null, canceled_at: null, cancel_at_period_end: false });
    await twin.advance(inDays(2));
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await twin.advance(inDays(40));
    const ended = await stripe.subscriptions.retrieve(id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'cancellation_requested' } });
    expect([isoDay(ended.canceled_at), isoDay(ended.ended_at)]).toEqual(['2027-02-02', '2027-02-28']);
    expect(await typesOf(scene)).toContain('customer.subscription.deleted');
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  });

  it('ends at once when it is cancelled, and is then gone from where it can be cancelled', async () => {
    const { stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    const ended = await stripe.subscriptions.cancel(id, { cancellation_details: { feedback: 'too_expensive' } });
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { feedback: 'too_expensive' } });
    expect(await errorOf(stripe.subscriptions.cancel(id))).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    expect((await stripe.subscriptions.list({ customer: idOf(customer) })).data).toHaveLength(0);
    expect((await stripe.subscriptions.list({ customer: idOf(customer), status: 'all' })).data).toHaveLength(1);
  });

  it('keeps being renewed while its collection rests, without money', async () => {
    const { twin, stripe } = scene;
    const { id } = await subscribe(scene, scene.plans.plus.id);
    const resumesAt = Math.floor(Date.parse('2027-04-05T00:00:00Z') / 1_000);
    await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumesAt } });
    await twin.advanceTo(new Date('2027-05-02T00:00:00Z'));
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ status }) => status)).toEqual(['paid', 'void', 'void', 'paid']);
    expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull();
  });
});

describe('a subscription that is not paid', () => {
  it('is incomplete from the start, and expires within a day', async () => {
    const { twin, stripe } = scene;
    const { id, status } = await subscribe(scene, scene.plans.plus.id, 'pm_card_chargeCustomerFail');
    expect(status).toBe('incomplete');
    await twin.advance(inDays(1));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired');
  });

  it('is not begun at all with error_if_incomplete, nor without a card', async () => {
    const { stripe } = scene;
    const customer = await addCustomer(stripe, 'pm_card_chargeCustomerFail');
    const items = [{ price: scene.plans.plus.id }];
    const asked = { customer: customer.id, items, payment_behavior: 'error_if_incomplete' as const };
    expect(await errorOf(stripe.subscriptions.create(asked))).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    const poor = await stripe.customers.create();
    expect(await errorOf(stripe.subscriptions.create({ customer: poor.id, items }))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
    });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(0);
  });

  it('is past due, tried again for three weeks and then cancelled', async () => {
    const { twin, stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    twin.setCards(idOf(customer), 'decline');
    await twin.advanceTo(new Date('2027-03-01T00:00:00Z'));
    const late = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'customer'] });
    expect(late).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1 },
      customer: { delinquent: true },
    });
    await twin.advance(inDays(22));
    const ended = await stripe.subscriptions.retrieve(id);
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } });
    expect((await typesOf(scene)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
  });

  it('is active again as soon as a retry goes well', async () => {
    const { twin, stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    twin.setCards(idOf(customer), 'decline');
    await twin.advanceTo(new Date('2027-03-01T00:00:00Z'));
    twin.setCards(idOf(customer), 'work');
    await twin.advance(inDays(4));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('stays past due until all is paid, where it is left so', async () => {
    await scene.beginAgain({ afterLastRetry: 'leave_past_due' });
    const { twin, stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    twin.setCards(idOf(customer), 'decline');
    await twin.advanceTo(new Date('2027-04-02T00:00:00Z'));
    const statusOf = async () => (await stripe.subscriptions.retrieve(id)).status;
    const { data: owed } = await stripe.invoices.list({ subscription: id, status: 'open' });
    expect([owed.length, await statusOf()]).toEqual([2, 'past_due']);
    twin.setCards(idOf(customer), 'work');
    await stripe.invoices.pay(owed[0]?.id ?? '');
    expect(await statusOf()).toBe('past_due');
    await stripe.invoices.pay(owed[1]?.id ?? '');
    expect(await statusOf()).toBe('active');
  });

  it('is asked for no more once it is cancelled', async () => {
    const { twin, stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    twin.setCards(idOf(customer), 'decline');
    await twin.advanceTo(new Date('2027-03-01T00:00:00Z'));
    await stripe.subscriptions.cancel(id);
    await twin.advance(inDays(25));
    const { data } = await stripe.invoices.list({ subscription: id, limit: 1 });
    expect(data[0]).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: null });
  });

  it('can be left unpaid instead, with drafts that nobody collects', async () => {
    await scene.beginAgain({ afterLastRetry: 'mark_unpaid' });
    const { twin, stripe } = scene;
    const { id, customer } = await subscribe(scene, scene.plans.plus.id);
    twin.setCards(idOf(customer), 'decline');
    await twin.advance(inDays(70));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('unpaid');
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ status }) => status)).toEqual(['draft', 'open', 'paid']);
    twin.setCards(idOf(customer), 'work');
    await stripe.invoices.pay(data[1]?.id ?? '');
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('waits for its first payment with default_incomplete, and keeps the card that made it', async () => {
    const { stripe } = scene;
    const customer = await stripe.customers.create();
    const {
      id,
      status,
      latest_invoice: invoice,
    } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: scene.plans.plus.id }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
    });
    expect(status).toBe('incomplete');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.invoices.pay(idOf(invoice), { payment_method: card.id });
    const paid = await stripe.subscriptions.retrieve(id);
    expect([paid.status, paid.default_payment_method]).toEqual(['active', card.id]);
  });

  it('says so when an invoice is paid by hand with a bad card', async () => {
    const { stripe } = scene;
    const { latest_invoice: invoice } = await subscribe(scene, scene.plans.plus.id, 'pm_card_chargeCustomerFail');
    expect(await errorOf(stripe.invoices.pay(idOf(invoice)))).toMatchObject({ statusCode: 402, charge: /^ch_/ });
  });
});

describe('a trial without a card', () => {
  const begin = async (missing: 'cancel' | 'pause' | 'create_invoice') => {
    const customer = await scene.stripe.customers.create({ email: 'ada@example.com' });
    return scene.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: scene.plans.plus.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: missing } },
    });
  };

  it('costs nothing, and is announced three days before its end', async () => {
    const { twin } = scene;
    const trial = await begin('cancel');
    expect(trial.status).toBe('trialing');
    expect(trial.billing_cycle_anchor).toBe(trial.trial_end);
    expect([isoDay(trial.trial_end), isoDay(itemOf(trial).current_period_end)]).toEqual(['2027-02-07', '2027-02-07']);
    await twin.advanceTo(new Date('2027-02-04T09:00:00Z'));
    expect(await typesOf(scene)).not.toContain('customer.subscription.trial_will_end');
    await twin.advanceTo(new Date('2027-02-04T11:00:00Z'));
    expect((await typesOf(scene)).filter((type) => type.endsWith('trial_will_end'))).toHaveLength(1);
  });

  it('ends, rests or owes, as it was told to', async () => {
    const { twin, stripe } = scene;
    const ids = await Promise.all([begin('cancel'), begin('pause'), begin('create_invoice')]);
    await twin.advance(inDays(8));
    const after = await Promise.all(ids.map(({ id }) => stripe.subscriptions.retrieve(id)));
    expect(after.map(({ status }) => status)).toEqual(['canceled', 'paused', 'past_due']);
    expect(await typesOf(scene)).toContain('customer.subscription.paused');
  });

  it('becomes a paid subscription where a card came in time', async () => {
    const { twin, stripe } = scene;
    const { id, customer } = await begin('cancel');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: idOf(customer) });
    await stripe.subscriptions.update(id, { default_payment_method: card.id });
    await twin.advance(inDays(8));
    const paid = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
    expect(paid).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1_200 } });
    expect(isoDay(itemOf(paid).current_period_end)).toBe('2027-03-07');
  });

  it('may change to another plan, for nothing', async () => {
    const { twin, stripe } = scene;
    const { id, customer, items } = await begin('cancel');
    await twin.advance(inDays(3));
    const item = { id: items.data[0]?.id ?? '', price: scene.plans.proYearly.id };
    await stripe.subscriptions.update(id, { items: [item], proration_behavior: 'always_invoice' });
    expect((await stripe.invoices.list({ subscription: id })).data.map(({ total }) => total)).toEqual([0]);
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: idOf(customer) });
    await stripe.subscriptions.update(id, { default_payment_method: card.id });
    await twin.advance(inDays(5));
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.map(({ total, status }) => [total, status])).toEqual([
      [24_000, 'paid'],
      [0, 'paid'],
    ]);
  });

  it('does not rest where a card came in time', async () => {
    const { twin, stripe } = scene;
    const { id, customer } = await begin('pause');
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: idOf(customer) });
    await stripe.customers.update(idOf(customer), { invoice_settings: { default_payment_method: card.id } });
    await twin.advance(inDays(8));
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  it('can be ended at once, and is billed at once', async () => {
    const { stripe } = scene;
    const customer = await addCustomer(stripe);
    const { id, trial_end: trialEnd } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: scene.plans.plus.id }],
      trial_period_days: 7,
    });
    const paid = await stripe.subscriptions.update(id, { trial_end: 'now', expand: ['latest_invoice'] });
    expect(paid).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1_200 } });
    const { data } = await stripe.events.list({ type: 'customer.subscription.updated', limit: 1 });
    expect(data[0]?.data.previous_attributes).toMatchObject({ status: 'trialing', trial_end: trialEnd });
  });
});
