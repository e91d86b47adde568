import { effectivePlan } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { registerDevice, startServer } from '../../test-kit/server.ts';
import { listProducts } from './list-products.ts';
import { DAY_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function trialSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);

  describe('the free week', () => {
    it('needs no card, ends automatically and is given once', async () => {
      const device = await shop.registerLearner();
      await shop.billing.startTrial(device.userId);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({
        planType: 'TRIALING',
        status: 'trialing',
        quota: 7_200,
      });
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
      await shop.stripeFake.advance(8 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      const over = await shop.subscriptionRow(device.userId);
      expect(effectivePlan(over, shop.stripeFake.now())).toBe('FREE');
      expect(over).toMatchObject({ planType: 'TRIALING', status: 'canceled' });
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toMatchObject([
        { kind: 'trial_ending', data: { continues: false } },
      ]);
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
    });

    it('starts once for simultaneous requests', async () => {
      const device = await shop.registerLearner();
      const asked = await Promise.allSettled(Array.from({ length: 5 }, () => shop.billing.startTrial(device.userId)));
      expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true);
      const { data } = await shop.stripe.subscriptions.list({
        customer: await shop.customerIdOf(device.userId),
        status: 'all',
      });
      expect(data).toHaveLength(1);
    });

    it('is never charged, even with a card on file', async () => {
      const device = await shop.registerLearner();
      await shop.billing.startTrial(device.userId);
      const customer = await shop.customerIdOf(device.userId);
      const { id } = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer });
      await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      await shop.stripeFake.advance(8 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'canceled' });
      const invoices = await shop.billing.invoices(device.userId);
      expect(invoices.filter(({ amount }) => amount > 0)).toEqual([]);
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'trial_ending' }]);
    });

    it('announces the charge when the learner chose to continue', async () => {
      const device = await shop.registerLearner();
      await shop.billing.startTrial(device.userId);
      await shop.pressAtPortal(device, { act: 'add_card' });
      await shop.pressAtPortal(device, { act: 'keep' });
      await shop.stripeFake.advance(8 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
      expect(shop.mails.filter(({ userId }) => userId === device.userId)).toMatchObject([
        { kind: 'trial_ending', data: { continues: true } },
        { kind: 'receipt' },
      ]);
    });

    it('is given where only the smaller plan is sold', async () => {
      const { products, prices } = await shop.payments.readCatalogue();
      const plus = { products, prices: prices.filter(({ plan }) => plan === 'PLUS') };
      const withPlusOnly = shop.createNode({ payments: { ...shop.payments, readCatalogue: async () => plus } });
      try {
        await withPlusOnly.refreshCatalogue();
        const device = await shop.registerLearner();
        await shop.billing.startTrial(device.userId);
        expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'TRIALING', quota: 7_200 });
      } finally {
        await shop.billing.refreshCatalogue();
      }
    });

    it('is not counted among the learners on a plan until they pay', async () => {
      const countOnPlans = async (): Promise<number> => {
        const request = { search: '', sort: 'name', direction: 'asc', page: 0, pageSize: 50 } as const;
        const { rows } = await listProducts(shop.db, request);
        return rows.reduce((sum, { price }) => sum + (price?.subscriptions ?? 0), 0);
      };
      const before = await countOnPlans();
      const device = await shop.registerLearner();
      await shop.billing.startTrial(device.userId);
      expect(await countOnPlans()).toBe(before);
      await shop.pay(device);
      expect(await countOnPlans()).toBe(before + 1);
    });

    it('ends when a paid plan starts', async () => {
      const device = await shop.registerLearner();
      await shop.billing.startTrial(device.userId);
      await shop.pay(device);
      expect(await shop.runningSubscriptions(await shop.customerIdOf(device.userId))).toMatchObject([
        { status: 'active' },
      ]);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('leaves prices in other currencies for when it has ended', async () => {
      const device = await shop.registerLearner();
      const { data } = await shop.stripe.products.list();
      const product = data.find(({ metadata }) => metadata['plan'] === 'PLUS')?.id ?? '';
      const recurring = { interval: 'month' } as const;
      const price = await shop.stripe.prices.create({ product, unit_amount: 150_000, currency: 'jpy', recurring });
      await shop.stripeFake.deliveries.settled();
      const { offers } = await shop.billing.plans();
      const inYen = offers.find(({ currency }) => currency === 'jpy')?.priceId ?? '';
      await shop.billing.startTrial(device.userId);
      await expect(shop.billing.checkout(device.userId, inYen)).rejects.toMatchObject({
        code: 'billing.other_currency',
      });
      await shop.stripeFake.advance(8 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      await shop.payAt((await shop.billing.checkout(device.userId, inYen)).url);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
      await shop.stripe.prices.update(price.id, { active: false });
      await shop.stripeFake.deliveries.settled();
    });

    it('needs an address', async () => {
      const { userId } = await registerDevice(shop.server);
      await expect(shop.billing.startTrial(userId)).rejects.toMatchObject({ code: 'account.no_email' });
    });
  });

  describe('on a server where access must be granted', () => {
    it('a learner without access cannot pay, but sees past invoices', async () => {
      const server = await startServer(shop.server.database, { account: { access: 'granted' } });
      try {
        const { token } = await shop.registerLearner();
        const codeOf = async (path: string, body: object) =>
          (await server.post(`/v1/billing/${path}`, body, token)).body['code'];
        expect(await codeOf('start-trial', {})).toBe('access.required');
        expect(await codeOf('checkout', { priceId: (await shop.findPrice('PRO')).id })).toBe('access.required');
        expect(await codeOf('portal', {})).toBe('billing.unavailable');
        const headers = { authorization: `Bearer ${token}` };
        expect(await server.send({ method: 'GET', url: '/v1/billing/invoices', headers })).toMatchObject({
          status: 200,
        });
      } finally {
        await server.app.close();
      }
    });
  });
}
