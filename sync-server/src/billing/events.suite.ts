import { planOf } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, billingEvents } from '../db/tables.ts';
import { createStripePayments } from '../integrations/stripe/index.ts';
import { startStripeTwin } from '../integrations/stripe/twin/index.ts';
import { setUpShop } from './test-kit/shop.ts';

export function eventsSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);

  describe('a plan that the provider does not know', () => {
    it('does not last for ever', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO');
      const other = await startStripeTwin({ startsAt: shop.twin.now() });
      try {
        const access = { secretKey: other.key, address: new URL(other.url), maxNetworkRetries: 0 };
        const payments = createStripePayments({ ...access, webhookSecret: other.webhookSecret });
        const node = shop.node({ payments });
        const { ended, repaired } = await node.reconcile();
        expect(ended).toBeGreaterThanOrEqual(1);
        expect(repaired).toBeGreaterThanOrEqual(ended);
        const row = await shop.row(device.userId);
        expect(row).toMatchObject({ status: 'canceled', endedAt: shop.twin.now(), quota: 600 });
        expect(planOf(row, shop.twin.now())).toBe('FREE');
        const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
        expect(log.map(({ details }) => details['status'])).toContain('canceled');
        expect(await node.reconcile()).toMatchObject({ ended: 0, repaired: 0 });
        expect(await node.invoices(device.userId)).toEqual([]);
        await expect(node.portal(device.userId)).rejects.toMatchObject({ code: 'billing.not_offered' });
      } finally {
        await other.close();
      }
      // Asked with the right key again, it is as it was.
      expect(await shop.billing.reconcile()).toMatchObject({ ended: 0 });
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active', endedAt: null });
    });
  });

  describe('a customer whom the provider does not know', () => {
    it('may buy all the same, as a new one', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const before = await shop.customer(device.userId);
      await shop.stripe.customers.del(before);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      const priceId = (await shop.price('PRO')).id;
      const pages = await Promise.all([shop.billing, shop.node()].map((node) => node.checkout(device.userId, priceId)));
      const after = await shop.customer(device.userId);
      expect(after).not.toBe(before);
      const { data } = await shop.stripe.checkout.sessions.list({ customer: after, status: 'open' });
      expect(pages.map(({ url }) => url)).toContain(data[0]?.url);
      await shop.payAt(data[0]?.url ?? '');
      expect(await shop.row(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
    });
  });

  describe('two servers', () => {
    it('find what is true now, also the one whose clock is behind', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      const ahead = shop.node({ now: () => new Date(shop.twin.now().getTime() + 3_600_000) });
      shop.twin.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await ahead.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ cancelAtPeriodEnd: true });
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: false });
      await shop.billing.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ cancelAtPeriodEnd: false });
    });

    it('do not write what one has seen before the other', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      const customer = await shop.customer(device.userId);
      const [hasSeen, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let looks = 0;
      const slow = shop.node({
        now: () => new Date(shop.twin.now().getTime() + 3_600_000),
        payments: {
          ...shop.payments,
          subscriptionsOf: async (asked) => {
            const seen = await shop.payments.subscriptionsOf(asked);
            if (asked !== customer) return seen;
            looks += 1;
            hasSeen.resolve();
            await goOn.promise;
            return seen;
          },
        },
      });
      shop.twin.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      const looking = slow.reconcile();
      await hasSeen.promise;
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      await shop.billing.reconcile();
      goOn.resolve();
      await looking;
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      expect(looks).toBe(2);
    });
  });

  describe('an event', () => {
    it('that is forged, altered or old is not taken in', async () => {
      const body = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.subscription.deleted' }));
      await expect(shop.billing.take(body, 't=1,v1=00')).rejects.toMatchObject({ code: 'request.invalid' });
      const sign = (payload: string, timestamp: number): string =>
        shop.stripe.webhooks.generateTestHeaderString({ payload, secret: shop.twin.webhookSecret, timestamp });
      const nowS = Math.floor(shop.twin.now().getTime() / 1_000);
      const payload = JSON.stringify({ id: 'evt_2', object: 'event', type: 'price.updated', data: { object: {} } });
      await expect(shop.billing.take(Buffer.from(`${payload} `), sign(payload, nowS))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await expect(shop.billing.take(Buffer.from(payload), sign(payload, nowS - 3_600))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await shop.billing.take(Buffer.from(payload), sign(payload, nowS));
      expect(await shop.db.select().from(billingEvents).where(eq(billingEvents.eventId, 'evt_2'))).toHaveLength(1);
    });

    it('that never came is made up for', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      shop.twin.deliveries.hold();
      const { providerSubscriptionId } = (await shop.row(device.userId)) ?? {};
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      expect(await shop.row(device.userId)).toMatchObject({ status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBeGreaterThanOrEqual(1);
      expect(await shop.row(device.userId)).toMatchObject({ status: 'canceled' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      await shop.twin.deliveries.resume();
    });
  });
}
