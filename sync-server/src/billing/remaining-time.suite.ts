import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { createPlanReader } from '../account/index.ts';
import { createLeases } from '../metering/index.ts';
import { createRemainingTimeUpdater } from './index.ts';
import { DAY_MS, HOUR_MS, setUpBillingFixture } from '../../test-kit/billing/billing-fixture.ts';

export function remainingTimeSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpBillingFixture(open);

  describe('the remaining minutes of a plan', () => {
    it('follow the ledger as they are used and reset with the period', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device);
      const told: string[] = [];
      const leases = createLeases({
        db: shop.db,
        now: shop.stripeFake.now,
        isMetered: true,
        planOf: createPlanReader({ db: shop.db, now: shop.stripeFake.now }),
        onUsageRecorded: createRemainingTimeUpdater({
          now: shop.stripeFake.now,
          changed: (userId) => void told.push(userId),
        }),
      });
      const sessionId = randomUUID();
      const request = { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver: false } as const;
      await leases.acquire(device, request);
      await (await leases.requireHeld(device, sessionId)).recordSpeech(10);
      await shop.stripeFake.advance(50_000);
      await leases.acquire(device, request);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 - 50 });
      await shop.stripeFake.advance(20_000);
      await leases.release(device, sessionId);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ remainingTime: 36_000 - 70 });
      expect(new Set(told)).toEqual(new Set([device.userId]));
      await shop.stripeFake.advance(32 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 });
    });
  });

  describe('a plan that is billed by the week', () => {
    it('has a week’s share of the monthly allowance each week', async () => {
      const { data } = await shop.stripe.products.list();
      await shop.stripe.prices.create({
        product: data.find(({ metadata }) => metadata['plan'] === 'PLUS')?.id ?? '',
        currency: 'eur',
        unit_amount: 400,
        recurring: { interval: 'week' },
      });
      await shop.billing.refreshCatalogue();
      const device = await shop.registerLearner();
      await shop.pay(device, 'PLUS', 'week');
      const weekly = { quota: 8_400, remainingTime: 8_400 };
      expect(await shop.subscriptionRow(device.userId)).toMatchObject(weekly);
      const leases = createLeases({
        db: shop.db,
        now: shop.stripeFake.now,
        isMetered: true,
        planOf: createPlanReader({ db: shop.db, now: shop.stripeFake.now }),
        onUsageRecorded: createRemainingTimeUpdater({ now: shop.stripeFake.now, changed: () => undefined }),
      });
      const request = { sessionId: randomUUID(), timeZone: 'Europe/Berlin', takeOver: false } as const;
      expect(await leases.acquire(device, { ...request, style: 'turn_based' })).toMatchObject({ remainingS: 8_400 });
      await leases.release(device, request.sessionId);
      await shop.stripeFake.advance(8 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject(weekly);
    });
  });

  describe('a yearly plan', () => {
    it('has a monthly allowance that resets on its day', async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PRO', 'year');
      const paid = await shop.subscriptionRow(device.userId);
      expect(paid).toMatchObject({ planType: 'PRO', quota: 108_000 });
      const leases = createLeases({
        db: shop.db,
        now: shop.stripeFake.now,
        isMetered: true,
        planOf: createPlanReader({ db: shop.db, now: shop.stripeFake.now }),
        onUsageRecorded: createRemainingTimeUpdater({ now: shop.stripeFake.now, changed: () => undefined }),
      });
      const request = {
        sessionId: randomUUID(),
        style: 'turn_based',
        timeZone: 'Europe/Berlin',
        takeOver: false,
      } as const;
      await leases.acquire(device, request);
      await (await leases.requireHeld(device, request.sessionId)).recordSpeech(10);
      await shop.stripeFake.advance(60_000);
      await leases.release(device, request.sessionId);
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ remainingTime: 108_000 - 60 });
      const nextMonth = new Date(paid?.currentPeriodStart ?? 0);
      nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
      await shop.stripeFake.advanceTo(new Date(nextMonth.getTime() - 1_000));
      expect(await leases.acquire(device, request)).toMatchObject({ remainingS: 108_000 - 60 });
      // A session that spans the reset is counted in both months.
      await shop.stripeFake.advance(31_000);
      expect(await leases.acquire(device, request)).toMatchObject({ remainingS: 108_000 - 30 });
      await leases.release(device, request.sessionId);
    });

    it("resets the learner's row without usage, since no event announces it", async () => {
      const device = await shop.registerLearner();
      await shop.pay(device, 'PLUS', 'month');
      shop.stripeFake.setCards(await shop.customerIdOf(device.userId), 'decline');
      await shop.stripeFake.advance(33 * DAY_MS);
      await shop.stripeFake.deliveries.settled();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'past_due', quota: 36_000 });
      await shop.stripeFake.advanceTo(
        new Date(
          ((await shop.subscriptionRow(device.userId))?.currentPeriodStart?.getTime() ?? 0) + 7 * DAY_MS + HOUR_MS,
        ),
      );
      await shop.stripeFake.deliveries.settled();
      await shop.billing.reconcile();
      expect(await shop.subscriptionRow(device.userId)).toMatchObject({ status: 'past_due', quota: 600 });
    });
  });
}
