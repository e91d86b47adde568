import type { AccountView } from '@parley/contract';
import { planOf } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, planOutlooks, tables } from '../db/tables.ts';
import { startServer } from '../test-kit/server.ts';
import { DAY_MS, setUpShop } from './test-kit/shop.ts';

export function buyingSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);

  describe('what is sold', () => {
    it('is copied from the provider, once', async () => {
      const { offers, isTest } = await shop.billing.plans();
      expect(isTest).toBe(true);
      expect(offers.map(({ plan, interval, unitAmount }) => `${plan} ${interval} ${unitAmount}`)).toEqual([
        'PLUS month 1200',
        'PRO month 2400',
        'PLUS year 12000',
        'PRO year 24000',
      ]);
      const before = await shop.db.select().from(tables.prices);
      await shop.billing.mirror();
      expect(await shop.db.select().from(tables.prices)).toEqual(before);
    });

    it('is not sold any more where the provider says so', async () => {
      const { providerId } = await shop.price('PLUS', 'year');
      await shop.stripe.prices.update(providerId, { active: false });
      await shop.twin.deliveries.settled();
      const { offers } = await shop.billing.plans();
      expect(offers.map(({ plan, interval }) => `${plan} ${interval}`)).not.toContain('PLUS year');
    });
  });

  describe('a plan', () => {
    it('is paid for on the provider’s page, renewed, cancelled, and ends on its day', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const paid = await shop.row(device.userId);
      expect(paid).toMatchObject({ planType: 'PLUS', status: 'active', quota: 36_000, remainingTime: 36_000 });
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'receipt' }]);
      await expect(shop.billing.checkout(device.userId, (await shop.price('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });

      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      const renewed = await shop.row(device.userId);
      expect(renewed?.currentPeriodStart?.getTime()).toBe(paid?.currentPeriodEnd?.getTime());
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toHaveLength(2);
      expect(await shop.billing.invoices(device.userId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);

      await shop.stripe.subscriptions.update(paid?.providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await shop.twin.deliveries.settled();
      const ending = await shop.row(device.userId);
      expect(ending).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      await shop.twin.advanceTo(new Date((ending?.currentPeriodEnd?.getTime() ?? 0) + 60_000));
      await shop.twin.deliveries.settled();
      const over = await shop.row(device.userId);
      expect(over).toMatchObject({ status: 'canceled' });
      expect(planOf(over, shop.twin.now())).toBe('FREE');
      // Nothing of the learner's is gone, and they may come back.
      await shop.pay(device, 'PRO');
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active', quota: 108_000 });
      const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
      expect(log.filter(({ act }) => act === 'plan_changed').map(({ details }) => details['status'])).toEqual(
        expect.arrayContaining(['active', 'canceled']),
      );
    });

    it('that credit covers is thanked for by nobody', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO', 'year');
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      const { items } = await shop.stripe.subscriptions.retrieve(providerSubscriptionId ?? '');
      // What was paid for the year is given back as credit, which covers months.
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', {
        items: [{ id: items.data[0]?.id ?? '', price: (await shop.price('PRO')).providerId }],
      });
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.billing.invoices(device.userId)).toMatchObject([
        { status: 'paid', amount: 2_400, amountDue: 0, amountPaid: 0 },
        { status: 'paid', amount: -21_600, amountDue: 0, amountPaid: 0 },
        { status: 'paid', amount: 24_000, amountDue: 24_000, amountPaid: 24_000 },
      ]);
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([
        { kind: 'receipt', data: { amountMinor: 24_000 } },
      ]);
    });

    it('goes on when a payment is paid back, and its invoice says how much was', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      const before = await shop.row(device.userId);
      const refunded = async () =>
        (await shop.billing.invoices(device.userId)).map(({ status, amountPaid, amountRefunded }) => [
          status,
          amountPaid,
          amountRefunded,
        ]);
      expect(await refunded()).toEqual([
        ['paid', 1_200, 0],
        ['paid', 1_200, 0],
      ]);

      const { data } = await shop.stripe.charges.list({ customer: await shop.customer(device.userId) });
      const [newest, first] = data.map(({ id }) => id);
      await shop.stripe.refunds.create({ charge: newest ?? '', amount: 500 });
      await shop.stripe.refunds.create({ charge: first ?? '' });
      await shop.twin.deliveries.settled();
      expect(await refunded()).toEqual([
        ['paid', 1_200, 500],
        ['paid', 1_200, 1_200],
      ]);
      const { planType, status, quota, currentPeriodEnd } = before ?? {};
      expect(await shop.row(device.userId)).toMatchObject({ planType, status, quota, currentPeriodEnd });
    });

    it('holds for a week after a payment that failed', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.setCards(await shop.customer(device.userId), 'decline');
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      const late = await shop.row(device.userId);
      expect(late).toMatchObject({ status: 'past_due' });
      const due = late?.currentPeriodStart?.getTime() ?? 0;
      expect(planOf(late, new Date(due + 7 * DAY_MS - 1))).toBe('PLUS');
      expect(planOf(late, new Date(due + 7 * DAY_MS))).toBe('FREE');
    });
  });

  describe('a cheaper plan', () => {
    it('waits for the period’s end, and is told until then', async () => {
      const server = await startServer(shop.server.database, { payments: shop.payments });
      try {
        const device = await shop.learner();
        await shop.pay(device, 'PRO');
        const url = '/v1/account';
        const headers = { authorization: `Bearer ${device.token}` };
        const told = async () =>
          ((await server.send({ method: 'GET', url, headers })).body as AccountView).subscription;
        expect(await told()).toMatchObject({ priceId: (await shop.price('PRO')).id, next: null, endsAt: null });
        const at = (await shop.row(device.userId))?.currentPeriodEnd?.toISOString();
        await shop.atPortal(device, { act: 'switch', price: (await shop.price('PLUS')).providerId });
        expect(await told()).toMatchObject({ status: 'active', next: { plan: 'PLUS', interval: 'month', at } });
        // Also where the event of it was lost.
        await shop.db.delete(planOutlooks).where(eq(planOutlooks.userId, device.userId));
        expect((await shop.billing.reconcile()).repaired).toBe(1);
        expect(await told()).toMatchObject({ next: { plan: 'PLUS', interval: 'month', at } });
        await shop.twin.advance(32 * DAY_MS);
        await shop.twin.deliveries.settled();
        expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
        expect(await told()).toMatchObject({ priceId: (await shop.price('PLUS')).id, next: null });
      } finally {
        await server.app.close();
      }
    });
  });

  describe('a second plan', () => {
    it('is not sold to somebody who pays already, though no word of it has come', async () => {
      const device = await shop.learner();
      shop.twin.deliveries.hold();
      await shop.pay(device);
      expect(await shop.row(device.userId)).toBeNull();
      await expect(shop.billing.checkout(device.userId, (await shop.price('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('is not paid for at a page that was left open', async () => {
      const device = await shop.learner();
      const first = await shop.billing.checkout(device.userId, (await shop.price('PLUS')).id);
      const second = await shop.billing.checkout(device.userId, (await shop.price('PRO')).id);
      const customer = await shop.customer(device.userId);
      const open = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(open.data.map(({ url }) => url)).toEqual([second.url]);
      await shop.payAt(second.url);
      await fetch(first.url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' });
      await shop.twin.deliveries.settled();
      expect(await shop.running(customer)).toHaveLength(1);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
    });

    it('has one page, however often it is asked for at once', async () => {
      const device = await shop.learner();
      const priceId = (await shop.price('PRO')).id;
      const nodes = [shop.billing, shop.node(), shop.billing];
      const pages = await Promise.all(nodes.map((node) => node.checkout(device.userId, priceId)));
      const customer = await shop.customer(device.userId);
      const { data } = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(data).toHaveLength(1);
      expect(pages.map(({ url }) => url)).toContain(data[0]?.url);
    });

    it('does not take away what the first one gives, and is told to whoever runs the server', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      const customer = await shop.customer(device.userId);
      await shop.twin.advance(60_000);
      const { url } = await shop.stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: (await shop.price('PLUS')).providerId, quantity: 1 }],
        success_url: 'http://parley.test/billing/done',
      });
      await shop.payAt(url ?? '');
      expect(await shop.running(customer)).toHaveLength(2);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      expect(shop.troubles).toContainEqual({ what: 'several_subscriptions', customerId: customer, count: 2 });
    });
  });
}
