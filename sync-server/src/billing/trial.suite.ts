import { planOf } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { registerDevice, startServer } from '../test-kit/server.ts';
import { DAY_MS, setUpShop } from './test-kit/shop.ts';

export function trialSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);

  describe('the free week', () => {
    it('needs no card, ends by itself, and is had once', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'TRIALING', status: 'trialing', quota: 7_200 });
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
      await shop.twin.advance(8 * DAY_MS);
      await shop.twin.deliveries.settled();
      const over = await shop.row(device.userId);
      expect(planOf(over, shop.twin.now())).toBe('FREE');
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'trial_ending' }]);
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.trial_used' });
    });

    it('is one, however often it is asked for at once', async () => {
      const device = await shop.learner();
      const asked = await Promise.allSettled(Array.from({ length: 5 }, () => shop.billing.startTrial(device.userId)));
      expect(asked.some(({ status }) => status === 'fulfilled')).toBe(true);
      const { data } = await shop.stripe.subscriptions.list({
        customer: await shop.customer(device.userId),
        status: 'all',
      });
      expect(data).toHaveLength(1);
    });

    it('is never paid for, also by somebody who has a card', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      const customer = await shop.customer(device.userId);
      const { id } = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer });
      await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
      await shop.twin.advance(8 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      const invoices = await shop.billing.invoices(device.userId);
      expect(invoices.filter(({ amount }) => amount > 0)).toEqual([]);
      expect(shop.letters.filter(({ userId }) => userId === device.userId)).toMatchObject([{ kind: 'trial_ending' }]);
    });

    it('ends with the first day of a plan that is paid for', async () => {
      const device = await shop.learner();
      await shop.billing.startTrial(device.userId);
      await shop.pay(device);
      expect(await shop.running(await shop.customer(device.userId))).toMatchObject([{ status: 'active' }]);
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PLUS', status: 'active' });
    });

    it('is no learner’s without an address', async () => {
      const { userId } = await registerDevice(shop.server);
      await expect(shop.billing.startTrial(userId)).rejects.toMatchObject({ code: 'account.no_email' });
    });
  });

  describe('where only those come in to whom access was granted', () => {
    it('nobody else pays; what was paid stays to be seen', async () => {
      const server = await startServer(shop.server.database, { account: { access: 'granted' } });
      try {
        const { token } = await shop.learner();
        const codeOf = async (path: string, body: object) =>
          (await server.post(`/v1/billing/${path}`, body, token)).body['code'];
        expect(await codeOf('start-trial', {})).toBe('access.required');
        expect(await codeOf('checkout', { priceId: (await shop.price('PRO')).id })).toBe('access.required');
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
