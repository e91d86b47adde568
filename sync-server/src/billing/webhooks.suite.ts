import { effectivePlan } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, billingEvents, devices } from '../db/tables.ts';
import { createStripePayments } from '../integrations/stripe/index.ts';
import { startStripeFake } from '@parley/fakes/stripe/index.ts';
import { DAY_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';
import type { TestDevice } from '../../test-kit/server.ts';

export function webhooksSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);

  describe('a plan that the provider does not know', () => {
    it('is ended by reconciliation', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO');
      const other = await startStripeFake({ startsAt: shop.stripeFake.now() });
      try {
        const access = { secretKey: other.key, baseUrl: new URL(other.url), maxNetworkRetries: 0 };
        const payments = createStripePayments({ ...access, webhookSecret: other.webhookSecret });
        const node = shop.createNode({ payments });
        const { ended, repaired } = await node.reconcile();
        expect(ended).toBeGreaterThanOrEqual(1);
        expect(repaired).toBeGreaterThanOrEqual(ended);
        const row = await shop.subscriptionRow(device.userId);
        expect(row).toMatchObject({ status: 'canceled', endedAt: shop.stripeFake.now(), quota: 600 });
        expect(effectivePlan(row, shop.stripeFake.now())).toBe('FREE');
        const log = await shop.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
        expect(log.map(({ details }) => details['status'])).toContain('canceled');
        expect(await node.reconcile()).toMatchObject({ ended: 0, repaired: 0 });
        expect(await node.invoices(device.userId)).toEqual([]);
        await expect(node.portal(device.userId)).rejects.toMatchObject({ code: 'billing.not_offered' });
      } finally {
        await other.close();
      }
      // Reconciling with the right key restores the plan.
      expect(await shop.billing.reconcile()).toMatchObject({ ended: 0 });
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({
        planType: 'PRO',
        status: 'active',
        endedAt: null,
      });
    });
  });

  describe('a customer that the provider does not know', () => {
    it('can buy as a new customer', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const before = await shop.customerIdOf(device.userId);
      await shop.stripe.customers.del(before);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'canceled' });
      const priceId = (await shop.findPrice('PRO')).id;
      const pages = await Promise.all(
        [shop.billing, shop.createNode()].map((node) => node.checkout(device.userId, priceId)),
      );
      const after = await shop.customerIdOf(device.userId);
      expect(after).not.toBe(before);
      const { data } = await shop.stripe.checkout.sessions.list({ customer: after, status: 'open' });
      expect(pages.map(({ url }) => url)).toContain(data[0]?.url);
      await shop.payAt(data[0]?.url ?? '');
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', status: 'active' });
    });
  });

  describe('two servers', () => {
    it('both apply the current state, even if one clock is behind', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.subscriptionRow(device.userId)) ?? {};
      const ahead = shop.createNode({ now: () => new Date(shop.stripeFake.now().getTime() + 3_600_000) });
      shop.stripeFake.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      await ahead.reconcile();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ cancelAtPeriodEnd: true });
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: false });
      await shop.billing.reconcile();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ cancelAtPeriodEnd: false });
    });

    it('never overwrite a newer read with an older one', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const { providerSubscriptionId } = (await shop.subscriptionRow(device.userId)) ?? {};
      const customer = await shop.customerIdOf(device.userId);
      const [hasSeen, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let looks = 0;
      const slow = shop.createNode({
        now: () => new Date(shop.stripeFake.now().getTime() + 3_600_000),
        payments: {
          ...shop.payments,
          listSubscriptions: async (asked) => {
            const seen = await shop.payments.listSubscriptions(asked);
            if (asked !== customer) return seen;
            looks += 1;
            hasSeen.resolve();
            await goOn.promise;
            return seen;
          },
        },
      });
      shop.stripeFake.deliveries.hold();
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', { cancel_at_period_end: true });
      const looking = slow.reconcile();
      await hasSeen.promise;
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      await shop.billing.reconcile();
      goOn.resolve();
      await looking;
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'canceled' });
      expect(looks).toBe(2);
    });
  });

  describe('a receipt', () => {
    const receiptsOf = ({ userId }: TestDevice) =>
      shop.mails.flatMap((mail) => (mail.userId === userId && mail.kind === 'receipt' ? [mail.data] : []));

    it('names the plan that was paid, although another one was bought before its event arrived', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      shop.stripeFake.deliveries.hold();
      await shop.stripeFake.advance(32 * DAY_MS);
      const { providerSubscriptionId } = (await shop.subscriptionRow(device.userId)) ?? {};
      const { items } = await shop.stripe.subscriptions.retrieve(providerSubscriptionId ?? '');
      await shop.stripe.subscriptions.update(providerSubscriptionId ?? '', {
        items: [{ id: items.data[0]?.id ?? '', price: (await shop.findPrice('PRO')).providerId }],
        proration_behavior: 'always_invoice',
      });
      await shop.stripeFake.deliveries.resume();
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO' });
      expect(receiptsOf(device)).toMatchObject([
        { what: 'Parley Plus' },
        { what: 'Parley Plus' },
        { what: 'Parley Pro' },
      ]);
    });

    it('is dated in UTC when a device reported a time zone that this server does not know', async () => {
      const device = await shop.registerLearner();
      await shop.db.update(devices).set({ timeZone: 'Mars/Olympus' }).where(eq(devices.userId, device.userId));
      await shop.pay(device);
      expect(receiptsOf(device)).toMatchObject([{ timeZone: 'UTC' }]);
    });
  });

  describe('an event', () => {
    it('that is forged, altered or old is refused', async () => {
      const body = Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.subscription.deleted' }));
      await expect(shop.billing.handleEvent(body, 't=1,v1=00')).rejects.toMatchObject({ code: 'request.invalid' });
      const sign = (payload: string, timestamp: number): string =>
        shop.stripe.webhooks.generateTestHeaderString({ payload, secret: shop.stripeFake.webhookSecret, timestamp });
      const nowS = Math.floor(shop.stripeFake.now().getTime() / 1_000);
      const payload = JSON.stringify({ id: 'evt_2', object: 'event', type: 'price.updated', data: { object: {} } });
      await expect(shop.billing.handleEvent(Buffer.from(`${payload} `), sign(payload, nowS))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await expect(shop.billing.handleEvent(Buffer.from(payload), sign(payload, nowS - 3_600))).rejects.toMatchObject({
        code: 'request.invalid',
      });
      await shop.billing.handleEvent(Buffer.from(payload), sign(payload, nowS));
      expect(await shop.db.select().from(billingEvents).where(eq(billingEvents.eventId, 'evt_2'))).toHaveLength(1);
    });

    it('that was lost is repaired by reconciliation', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      shop.stripeFake.deliveries.hold();
      const { providerSubscriptionId } = (await shop.subscriptionRow(device.userId)) ?? {};
      await shop.stripe.subscriptions.cancel(providerSubscriptionId ?? '');
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'active' });
      expect((await shop.billing.reconcile()).repaired).toBeGreaterThanOrEqual(1);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'canceled' });
      expect((await shop.billing.reconcile()).repaired).toBe(0);
      await shop.stripeFake.deliveries.resume();
    });
  });
}
