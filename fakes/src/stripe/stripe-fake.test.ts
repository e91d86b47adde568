import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectClient } from './connect-client.ts';
import { nextPeriodEnd, periodEnd } from './billing/calendar.ts';
import { startStripeFake } from './index.ts';
import { addCustomer, addPlans, startConnectedFake, daysToMs, isoDay } from './test-kit/connected-fake.ts';

describe('a restarted fake', () => {
  it('keeps its subscriptions, its clock and its webhooks', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'stripe-fake-'));
    const webhook = { url: 'http://127.0.0.1:9/' };
    const { fake, stripe } = await startConnectedFake({ stateDir: dir, webhook });
    const plans = await addPlans(stripe);
    const customer = await addCustomer(stripe);
    const { id } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: plans.plus.id }] });
    await fake.advance(daysToMs(3));
    const open = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: plans.plus.id, quantity: 1 }],
      success_url: 'http://127.0.0.1:9/',
    });
    await fake.close();
    const again = await startConnectedFake({ stateDir: dir, webhook });
    expect((await again.stripe.subscriptions.retrieve(id)).status).toBe('active');
    expect(again.fake.now()).toEqual(fake.now());
    expect(again.fake.webhookSecret).toBe(fake.webhookSecret);
    expect((await again.stripe.webhookEndpoints.list()).data).toHaveLength(1);
    const { url } = await again.stripe.checkout.sessions.retrieve(open.id);
    expect((await fetch(url ?? '')).status).toBe(200);
    const [invoice] = (await again.stripe.invoices.list({ subscription: id })).data;
    expect((await fetch(invoice?.hosted_invoice_url ?? '')).status).toBe(200);
    await again.fake.advance(daysToMs(30));
    expect((await again.stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
    await again.fake.close();
    expect(await readdir(dir)).toEqual(['stripe-fake.json']);
    await writeFile(join(dir, 'stripe-fake.json'), '{"form":');
    await expect(startConnectedFake({ stateDir: dir })).rejects.toThrow('cannot read');
  });

  it('runs with the machine’s clock and can be advanced', async () => {
    const fake = await startStripeFake();
    expect(Math.abs(fake.now().getTime() - Date.now())).toBeLessThan(1_000);
    await fake.advance(daysToMs(2));
    expect(Math.abs(fake.now().getTime() - Date.now() - daysToMs(2))).toBeLessThan(1_000);
    await expect(fake.advance(-1)).rejects.toThrow('back');
    await fake.close();
  });

  it('runs due actions automatically', async () => {
    // Only the date is faked, so that the fake's own timer runs.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const fake = await startStripeFake();
    const stripe = connectClient({ key: fake.key, url: fake.url, maxNetworkRetries: 2 });
    const { plus } = await addPlans(stripe);
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: plus.id }],
      trial_end: Math.floor(Date.now() / 1_000) + 3_600,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    });
    const statusOf = async () => (await stripe.subscriptions.retrieve(id)).status;
    expect(await statusOf()).toBe('trialing');
    vi.setSystemTime(Date.now() + 3_600_000);
    await expect.poll(statusOf, { interval: 100 }).toBe('canceled');
    await fake.close();
  });

  it('refuses to run in production', async () => {
    await expect(startStripeFake({ environment: 'production' })).rejects.toThrow('does not run in production');
  });
});

describe('the end of a period', () => {
  const at = (moment: string) => Math.floor(Date.parse(moment) / 1_000);

  it("keeps the anchor's day or the last of a shorter month", () => {
    const monthly = { interval: 'month', interval_count: 1 };
    const ends = [1, 2, 3, 4, 13].map((count) => isoDay(periodEnd(at('2027-01-31T00:00:00Z'), monthly, count)));
    expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2028-02-29']);
    const yearly = { interval: 'year', interval_count: 1 };
    expect(isoDay(periodEnd(at('2028-02-29T00:00:00Z'), yearly, 1))).toBe('2029-02-28');
    expect(isoDay(periodEnd(at('2028-02-29T00:00:00Z'), yearly, 4))).toBe('2032-02-29');
  });

  it('is the first after a moment, for every interval', () => {
    for (const interval of ['day', 'week', 'month', 'year'])
      for (const count of [1, 2, 3]) {
        const rhythm = { interval, interval_count: count };
        const anchor = at('2027-01-31T10:00:00Z');
        for (let step = 0; step < 60; step += 1) {
          const end = periodEnd(anchor, rhythm, step);
          expect(nextPeriodEnd(anchor, rhythm, end - 1)).toBe(end);
          expect(nextPeriodEnd(anchor, rhythm, end)).toBe(periodEnd(anchor, rhythm, step + 1));
        }
      }
  });
});
