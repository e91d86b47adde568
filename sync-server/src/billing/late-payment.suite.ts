import type { AccountView } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { pendingPlanChanges, tables } from '../db/tables.ts';
import { readHome } from '../school/home.ts';
import { type TestDevice } from '../../test-kit/server.ts';
import { DAY_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function latePaymentSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open, { afterLastRetry: 'leave_past_due' });
  const view = async ({ token }: TestDevice): Promise<AccountView> => {
    const { server, stripeFake } = shop;
    server.advanceClock(stripeFake.now().getTime() - server.now().getTime());
    const headers = { authorization: `Bearer ${token}` };
    return (await server.send({ method: 'GET', url: '/v1/account', headers })).body as AccountView;
  };
  const planOf = async (device: TestDevice): Promise<string> => (await view(device)).plan;
  const pass = async (days: number): Promise<void> => {
    await shop.stripeFake.advance(days * DAY_MS);
    await shop.stripeFake.deliveries.settled();
    await shop.billing.reconcile();
  };
  const declineCards = async ({ userId }: TestDevice): Promise<void> =>
    shop.stripeFake.setCards(await shop.customerIdOf(userId), 'decline');
  const upgrade = async (device: TestDevice): Promise<void> =>
    shop.pressAtPortal(device, { act: 'switch', price: (await shop.findPrice('PRO')).providerId });

  describe('a late payment', () => {
    it('of an upgrade keeps the new plan for a week and then the plan that was paid before', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PLUS');
      const paidUntil = (await shop.subscriptionRow(device.userId))?.currentPeriodEnd ?? new Date(0);
      await pass(20);
      await declineCards(device);
      await upgrade(device);
      const failedAt = shop.stripeFake.now();
      expect(await view(device)).toMatchObject({
        plan: 'PRO',
        subscription: { status: 'past_due', graceUntil: new Date(failedAt.getTime() + 7 * DAY_MS).toISOString() },
      });
      await pass(7);
      expect(await view(device)).toMatchObject({
        plan: 'PLUS',
        subscription: { status: 'past_due', graceUntil: paidUntil.toISOString() },
      });
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', quota: 36_000 });
      await shop.stripeFake.advanceTo(paidUntil);
      expect(await view(device)).toMatchObject({ plan: 'FREE', subscription: { graceUntil: null } });
    });

    it('can fall back to a plan whose payment an earlier version did not record', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PLUS');
      const paidUntil = (await shop.subscriptionRow(device.userId))?.currentPeriodEnd ?? new Date(0);
      await shop.db
        .update(pendingPlanChanges)
        .set({ paidPlan: null, paidUntil: null })
        .where(eq(pendingPlanChanges.userId, device.userId));
      expect(await shop.billing.reconcile()).toMatchObject({ repaired: 1 });
      expect(await shop.billing.reconcile()).toMatchObject({ repaired: 0 });
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ paidPlan: 'PLUS', paidUntil });
    });

    it('has one week of grace, although the provider begins new periods', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await declineCards(device);
      await shop.stripeFake.advanceTo((await shop.subscriptionRow(device.userId))?.currentPeriodEnd ?? new Date(0));
      // The first attempt to collect the payment follows an hour later.
      await pass(1);
      expect(await planOf(device)).toBe('PLUS');
      await pass(7);
      expect(await planOf(device)).toBe('FREE');
      const { currentPeriodStart: lateStart } = (await shop.subscriptionRow(device.userId)) ?? {};
      await pass(25);
      const later = await shop.subscriptionRow(device.userId);
      expect(later).toMatchObject({ status: 'past_due', quota: 600 });
      expect(later?.currentPeriodStart).not.toEqual(lateStart);
      expect(await planOf(device)).toBe('FREE');
    });

    it('ends after its week while payments are off, although an earlier version stored no date', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const { subscriptions } = tables;
      await shop.db.update(subscriptions).set({ status: 'past_due' }).where(eq(subscriptions.userId, device.userId));
      await shop.db.delete(pendingPlanChanges).where(eq(pendingPlanChanges.userId, device.userId));
      const withoutPayments = shop.createNode({ payments: null });
      const end = new Date(shop.stripeFake.now().getTime() + 7 * DAY_MS).toISOString();
      for (const days of [0, 3]) {
        await shop.stripeFake.advance(days * DAY_MS);
        await withoutPayments.reconcile();
        expect(await view(device)).toMatchObject({ plan: 'PLUS', subscription: { graceUntil: end } });
      }
      await shop.stripeFake.advance(5 * DAY_MS);
      await withoutPayments.reconcile();
      expect(await planOf(device)).toBe('FREE');
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'past_due', quota: 600 });
    });

    it('has a new week of grace after an earlier one was paid', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await declineCards(device);
      await pass(33);
      await pass(8);
      expect(await planOf(device)).toBe('FREE');
      await shop.pressAtPortal(device, { act: 'add_card' });
      expect(await planOf(device)).toBe('PLUS');
      await declineCards(device);
      await shop.stripeFake.advanceTo((await shop.subscriptionRow(device.userId))?.currentPeriodEnd ?? new Date(0));
      await pass(6);
      expect(await view(device)).toMatchObject({ plan: 'PLUS', subscription: { status: 'past_due' } });
    });

    it('has the day of its payment in the receipt', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await declineCards(device);
      await pass(33);
      await shop.pressAtPortal(device, { act: 'add_card' });
      const receipt = shop.mails.findLast(({ userId, kind }) => userId === device.userId && kind === 'receipt');
      expect(receipt?.data).toMatchObject({ paidAt: shop.stripeFake.now() });
    });

    it('is listed for admins with the day of its failure', { tags: ['slow'] }, async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      await declineCards(device);
      const renewal = (await shop.subscriptionRow(device.userId))?.currentPeriodEnd?.getTime() ?? 0;
      await pass(45);
      const { attention } = await readHome(shop.db, shop.stripeFake.now());
      const since = attention.find(({ userId }) => userId === device.userId)?.since ?? '';
      expect(Date.parse(since) - renewal).toBeLessThan(DAY_MS);
    });
  });
}
