import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { readSectionLocks } from '../courses/index.ts';
import { sql } from 'drizzle-orm';
import { setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function mirrorCatalogueSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);
  beforeEach(() => shop.billing.refreshCatalogue());

  const offersOf = async (billing = shop.billing): Promise<string[]> =>
    (await billing.plans()).offers.map(({ plan, interval }) => `${plan} ${interval}`);
  /** Whether everything is open to a learner on the free plan, as it is when no plans are sold. */
  const isEverythingOpen = async (): Promise<boolean> =>
    (await readSectionLocks(shop.db, { userId: randomUUID(), which: sql`false`, at: shop.stripeFake.now() }))
      .isOutsideOpen;

  describe('the mirrored catalogue', () => {
    it('excludes a price that the provider no longer lists, until it lists it again', async () => {
      const all = await offersOf();
      const full = await shop.payments.readCatalogue();
      const plus = full.products.find(({ name }) => name.includes('Plus'));
      const rest = {
        products: full.products.filter(({ id }) => id !== plus?.id),
        prices: full.prices.filter(({ productId, interval }) => productId !== plus?.id && interval === 'month'),
      };
      await shop.createNode({ payments: { ...shop.payments, readCatalogue: async () => rest } }).refreshCatalogue();
      expect(await offersOf()).toEqual(['PRO month']);
      const device = await shop.registerLearner();
      const other = { ...shop.payments, readCatalogue: async () => ({ products: [], prices: [] }) };
      await shop.createNode({ payments: other }).refreshCatalogue();
      expect(await offersOf()).toEqual([]);
      await expect(shop.billing.startTrial(device.userId)).rejects.toMatchObject({ code: 'billing.not_offered' });
      await shop.billing.refreshCatalogue();
      expect(await offersOf()).toEqual(all);
    });

    it('stays when the provider cannot be asked', async () => {
      const all = await offersOf();
      // A delayed event would trigger a read of the prices, and consume the scripted failure.
      await shop.stripeFake.deliveries.settled();
      shop.stripeFake.play({ does: 'reject', on: 'GET /v1/prices', status: 500 });
      await expect(shop.billing.refreshCatalogue()).rejects.toThrow();
      expect(await offersOf()).toEqual(all);
    });

    it('is empty while payments are off, so no section is locked', async () => {
      expect(await isEverythingOpen()).toBe(false);
      await shop.createNode({ payments: null }).refreshCatalogue();
      expect(await isEverythingOpen()).toBe(true);
      await shop.billing.refreshCatalogue();
      expect(await isEverythingOpen()).toBe(false);
    });

    it('is empty when only single payments are left, so no section is locked', async () => {
      const setType = (pricingType: 'one_time' | 'recurring') => shop.db.update(tables.prices).set({ pricingType });
      await setType('one_time');
      expect(await isEverythingOpen()).toBe(true);
      await setType('recurring');
      expect(await isEverythingOpen()).toBe(false);
    });

    it('gives a learner the plan of a product that was corrected', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PLUS');
      const { products, prices } = await shop.payments.readCatalogue();
      const corrected = { products, prices: prices.map((price) => ({ ...price, plan: 'PRO' as const })) };
      await shop
        .createNode({ payments: { ...shop.payments, readCatalogue: async () => corrected } })
        .refreshCatalogue();
      await shop.billing.reconcile();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PRO', quota: 108_000 });
      await shop.billing.refreshCatalogue();
      await shop.billing.reconcile();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ planType: 'PLUS', quota: 36_000 });
      expect(await shop.billing.reconcile()).toMatchObject({ repaired: 0 });
    });

    it('does not follow a list that is older than that of another server', async () => {
      const all = await offersOf();
      let isFirst = true;
      const readCatalogue = async () => {
        if (!isFirst) return shop.payments.readCatalogue();
        isFirst = false;
        await shop.createNode({ payments: null }).refreshCatalogue();
        await shop.billing.refreshCatalogue();
        return { products: [], prices: [] };
      };
      await shop.createNode({ payments: { ...shop.payments, readCatalogue } }).refreshCatalogue();
      expect(await offersOf()).toEqual(all);
    });
  });
}
