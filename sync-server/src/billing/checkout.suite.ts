import { randomUUID } from 'node:crypto';
import type { AccountView } from '@parley/contract';
import { effectivePlan } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { accountDeletions, auditLog, pendingPlanChanges, tables } from '../db/tables.ts';
import { startServer } from '../../test-kit/server.ts';
import { DAY_MS, HOUR_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function buyingSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);

  describe('the catalogue', () => {
    it('is copied from the provider once', async () => {
      const { offers, isTest } = await shop.billing.plans();
      expect(isTest).toBe(true);
      expect(offers.map(({ plan, interval, unitAmount }) => `${plan} ${interval} ${unitAmount}`)).toEqual([
        'PLUS month 1200',
        'PRO month 2400',
        'PLUS year 12000',
        'PRO year 24000',
      ]);
      const before = await shop.db.select().from(tables.prices);
      await shop.billing.refreshCatalogue();
      expect(await shop.db.select().from(tables.prices)).toEqual(before);
    });

    it('drops a price while the provider has it deactivated', async () => {
      const { providerId } = await shop.findPrice('PLUS', 'year');
      const offersWhen = async (active: boolean): Promise<string[]> => {
        await shop.stripe.prices.update(providerId, { active });
        await shop.stripeFake.deliveries.settled();
        return (await shop.billing.plans()).offers.map(({ plan, interval }) => `${plan} ${interval}`);
      };
      expect(await offersWhen(false)).not.toContain('PLUS year');
      expect(await offersWhen(true)).toContain('PLUS year');
    });
  });

  describe('a plan', () => {
    it('is bought, renewed, cancelled, and ends on its day', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const paid = await shop.subscriptionRow(device.userId);
      expect(paid).toMatchObject({ planType: 'PLUS', status: 'active', quota: 36_000, remainingTime: 36_000 });
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'receipt' }]);
      await expect(shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });

      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      const renewed = await shop.subscriptionRow(device.userId);
      expect(renewed?.currentPeriodStart?.getTime()).toBe(paid?.currentPeriodEnd?.getTime());
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toHaveLength(2);
      expect(await shop.billing.invoices(device.userId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);

      await shop.stripe.subscriptions.update(paid?.providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await shop.stripeFake.deliveries.settled();
      const ending = await shop.subscriptionRow(device.userId);
      expect(ending).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      await shop.stripeFake.advanceTo(new Date((ending?.currentPeriodEnd?.getTime() ?? 0) + 60_000));
      await shop.stripeFake.deliveries.settled();
      const over = await shop.subscriptionRow(device.userId);
      expect(over).toMatchObject({ status: 'canceled' });
      expect(effectivePlan(over, shop.stripeFake.now())).toBe('FREE');
      // The learner keeps their data and can subscribe again.
      await shop.pay(device, 'PRO');
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({
        planType: 'PRO',
        status: 'active',
        quota: 108_000,
      });
      const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
      expect(log.filter(({ act }) => act === 'plan_changed').map(({ details }) => details['status'])).toEqual(
        expect.arrayContaining(['active', 'canceled']),
      );
      expect(log.filter(({ after }) => after?.['plan'] === 'PRO')).toMatchObject([
        { before: { plan: 'PLUS', payment: 'canceled' }, after: { plan: 'PRO', payment: 'active' } },
      ]);
    });

    it('that is covered by credit sends no receipt', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO', 'year');
      const { providerSubscriptionId } = (await shop.subscriptionRow(device.userId)) ?? {};
      const { items } = await shop.stripe.subscriptions.retrieve(providerSubscriptionId ?? '');
      // Switching back from a yearly price gives credit, which pays for the following months.
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', {
        items: [{ id: items.data[0]?.id ?? '', price: (await shop.findPrice('PRO')).providerId }],
      });
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.billing.invoices(device.userId)).toMatchObject([
        { status: 'paid', amount: 2_400, amountDue: 0, amountPaid: 0 },
        { status: 'paid', amount: -21_600, amountDue: 0, amountPaid: 0 },
        { status: 'paid', amount: 24_000, amountDue: 24_000, amountPaid: 24_000 },
      ]);
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toMatchObject([
        { kind: 'receipt', data: { amountMinor: 24_000 } },
      ]);
    });

    it('stays active after a refund, which appears on its invoice', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      const before = await shop.subscriptionRow(device.userId);
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

      const { data } = await shop.stripe.charges.list({ customer: await shop.customerIdOf(device.userId) });
      const [newest, first] = data.map(({ id }) => id);
      await shop.stripe.refunds.create({ charge: newest ?? '', amount: 500 });
      await shop.stripe.refunds.create({ charge: first ?? '' });
      await shop.stripeFake.deliveries.settled();
      expect(await refunded()).toEqual([
        ['paid', 1_200, 500],
        ['paid', 1_200, 1_200],
      ]);
      const { planType, status, quota, currentPeriodEnd } = before ?? {};
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType, status, quota, currentPeriodEnd });
    });

    it('has a week of grace after a failed payment', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      shop.stripeFake.setCards(await shop.customerIdOf(device.userId), 'decline');
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      const late = await shop.subscriptionRow(device.userId);
      expect(late).toMatchObject({ status: 'past_due' });
      // The provider collects the payment for a renewal an hour after the period began.
      const due = (late?.currentPeriodStart?.getTime() ?? 0) + HOUR_MS;
      expect(effectivePlan(late, new Date(due + 7 * DAY_MS - 1))).toBe('PLUS');
      expect(effectivePlan(late, new Date(due + 7 * DAY_MS))).toBe('FREE');
    });
  });

  describe('a downgrade', () => {
    it('takes effect at the end of the period and is shown until then', async () => {
      const server = await startServer(shop.server.database, { payments: shop.payments });
      try {
        const device = await shop.registerLearner();
        await shop.pay(device, 'PRO');
        const url = '/v1/account';
        const headers = { authorization: `Bearer ${device.token}` };
        const subscription = async () =>
          ((await server.send({ method: 'GET', url, headers })).body as AccountView).subscription;
        expect(await subscription()).toMatchObject({
          priceId: (await shop.findPrice('PRO')).id,
          next: null,
          endsAt: null,
        });
        const at = (await shop.subscriptionRow(device.userId))?.currentPeriodEnd?.toISOString();
        await shop.pressAtPortal(device, { act: 'switch', price: (await shop.findPrice('PLUS')).providerId });
        expect(await subscription()).toMatchObject({ status: 'active', next: { plan: 'PLUS', interval: 'month', at } });
        // Reconciling restores it when its event was lost.
        await shop.db.delete(pendingPlanChanges).where(eq(pendingPlanChanges.userId, device.userId));
        expect((await shop.billing.reconcile()).repaired).toBe(1);
        expect(await subscription()).toMatchObject({ next: { plan: 'PLUS', interval: 'month', at } });
        await shop.stripeFake.advance(32 * DAY_MS);
        await shop.stripeFake.deliveries.settled();
        expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
        expect(await subscription()).toMatchObject({ priceId: (await shop.findPrice('PLUS')).id, next: null });
      } finally {
        await server.app.close();
      }
    });
  });

  describe('a second plan', () => {
    it('is refused to a paying learner even before the event arrives', async () => {
      const device = await shop.registerLearner();
      shop.stripeFake.deliveries.hold();
      await shop.pay(device);
      expect(await shop.subscriptionRow(device.userId)).toBeNull();
      await expect(shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id)).rejects.toMatchObject({
        code: 'billing.already_subscribed',
      });
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('cannot be bought on an older checkout page', async () => {
      const device = await shop.registerLearner();
      const first = await shop.billing.checkout(device.userId, (await shop.findPrice('PLUS')).id);
      const second = await shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id);
      const customer = await shop.customerIdOf(device.userId);
      const open = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(open.data.map(({ url }) => url)).toEqual([second.url]);
      await shop.payAt(second.url);
      await fetch(first.url, { method: 'POST', body: new URLSearchParams({ act: 'pay' }), redirect: 'manual' });
      await shop.stripeFake.deliveries.settled();
      expect(await shop.runningSubscriptions(customer)).toHaveLength(1);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
    });

    it('opens one checkout page for simultaneous requests', async () => {
      const device = await shop.registerLearner();
      const priceId = (await shop.findPrice('PRO')).id;
      const nodes = [shop.billing, shop.createNode(), shop.billing];
      const pages = await Promise.all(nodes.map((node) => node.checkout(device.userId, priceId)));
      const customer = await shop.customerIdOf(device.userId);
      const { data } = await shop.stripe.checkout.sessions.list({ customer, status: 'open' });
      expect(data).toHaveLength(1);
      expect(pages.map(({ url }) => url)).toContain(data[0]?.url);
    });

    it('keeps the first plan and is reported to the operator', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO');
      const customer = await shop.customerIdOf(device.userId);
      await shop.stripeFake.advance(60_000);
      const { url } = await shop.stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        line_items: [{ price: (await shop.findPrice('PLUS')).providerId, quantity: 1 }],
        success_url: 'http://parley.test/billing/done',
      });
      await shop.payAt(url ?? '');
      expect(await shop.runningSubscriptions(customer)).toHaveLength(2);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      expect(shop.alerts).toContainEqual({ what: 'several_subscriptions', customerId: customer, count: 2 });
    });
  });

  describe('an open checkout of a learner who must not pay any more', () => {
    const daysAgo = (days: number): Date => new Date(shop.stripeFake.now().getTime() - days * DAY_MS);
    const learnerWithCheckout = async () => {
      const device = await shop.registerLearner();
      await shop.billing.checkout(device.userId, (await shop.findPrice('PRO')).id);
      // An event about the new customer would close the checkout.
      await shop.stripeFake.deliveries.settled();
      const openCheckouts = async (): Promise<number> => {
        const customer = await shop.customerIdOf(device.userId);
        return (await shop.stripe.checkout.sessions.list({ customer, status: 'open' })).data.length;
      };
      return { userId: device.userId, openCheckouts };
    };
    const openCheckoutsAfter = async (days: number): Promise<number[]> => {
      const [leaving, revoked] = [await learnerWithCheckout(), await learnerWithCheckout()];
      const at = daysAgo(days);
      await shop.db.insert(accountDeletions).values({ userId: leaving.userId, requestedAt: at, eraseAt: daysAgo(-30) });
      await shop.db
        .update(tables.users)
        .set({ hasAccess: false, accessDate: daysAgo(100) })
        .where(eq(tables.users.userId, revoked.userId));
      const decision = { id: randomUUID(), subjectId: revoked.userId, act: 'access_revoked' } as const;
      await shop.db.insert(auditLog).values({ ...decision, at });
      await shop.billing.reconcile();
      return [await leaving.openCheckouts(), await revoked.openCheckouts()];
    };

    it('is closed by reconciliation', async () => {
      expect(await openCheckoutsAfter(1)).toEqual([0, 0]);
    });

    it('is no longer looked up once it must have expired at the provider', async () => {
      expect(await openCheckoutsAfter(3)).toEqual([1, 1]);
    });
  });
}
