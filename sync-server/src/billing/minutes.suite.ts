import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { planReader } from '../account/index.ts';
import { createLeases } from '../metering/index.ts';
import { createRecount } from './index.ts';
import { DAY_MS, setUpShop } from './test-kit/shop.ts';

export function minutesSuite(open: () => Promise<DatabaseConnection>): void {
  const shop = setUpShop(open);

  describe('what is left of a plan', () => {
    it('is reckoned from the ledger in the moment in which it is used, and whole again with the next period', async () => {
      const device = await shop.learner();
      await shop.pay(device);
      const told: string[] = [];
      const leases = createLeases({
        db: shop.db,
        now: shop.twin.now,
        counts: true,
        planOf: planReader({ db: shop.db, now: shop.twin.now }),
        counted: createRecount({ now: shop.twin.now, changed: (userId) => void told.push(userId) }),
      });
      const sessionId = randomUUID();
      const wish = { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver: false } as const;
      await leases.take(device, wish);
      await (await leases.require(device, sessionId)).heard(10);
      await shop.twin.advance(50_000);
      await leases.take(device, wish);
      expect(await shop.row(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 - 50 });
      await shop.twin.advance(20_000);
      await leases.release(device, sessionId);
      expect(await shop.row(device.userId)).toMatchObject({ remainingTime: 36_000 - 70 });
      expect(new Set(told)).toEqual(new Set([device.userId]));
      await shop.twin.advance(32 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ quota: 36_000, remainingTime: 36_000 });
    });
  });

  describe('a year that is paid at once', () => {
    it('has a month’s minutes, and the next month’s from its day on', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PRO', 'year');
      const paid = await shop.row(device.userId);
      expect(paid).toMatchObject({ planType: 'PRO', quota: 108_000 });
      const leases = createLeases({
        db: shop.db,
        now: shop.twin.now,
        counts: true,
        planOf: planReader({ db: shop.db, now: shop.twin.now }),
        counted: createRecount({ now: shop.twin.now, changed: () => undefined }),
      });
      const talk = {
        sessionId: randomUUID(),
        style: 'turn_based',
        timeZone: 'Europe/Berlin',
        takeOver: false,
      } as const;
      await leases.take(device, talk);
      await (await leases.require(device, talk.sessionId)).heard(10);
      await shop.twin.advance(60_000);
      await leases.release(device, talk.sessionId);
      expect(await shop.row(device.userId)).toMatchObject({ remainingTime: 108_000 - 60 });
      const nextMonth = new Date(paid?.currentPeriodStart ?? 0);
      nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
      await shop.twin.advanceTo(new Date(nextMonth.getTime() - 1_000));
      expect(await leases.take(device, talk)).toMatchObject({ remainingS: 108_000 - 60 });
      // Of what is talked over the turn, each month has its own seconds.
      await shop.twin.advance(31_000);
      expect(await leases.take(device, talk)).toMatchObject({ remainingS: 108_000 - 30 });
      await leases.release(device, talk.sessionId);
    });

    it('turns in the learner’s row too when nobody talks: no provider tells of it', async () => {
      const device = await shop.learner();
      await shop.pay(device, 'PLUS', 'month');
      shop.twin.setCards(await shop.customer(device.userId), 'decline');
      await shop.twin.advance(33 * DAY_MS);
      await shop.twin.deliveries.settled();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'past_due', quota: 36_000 });
      await shop.twin.advanceTo(
        new Date(((await shop.row(device.userId))?.currentPeriodStart?.getTime() ?? 0) + 7 * DAY_MS),
      );
      await shop.twin.deliveries.settled();
      await shop.billing.reconcile();
      expect(await shop.row(device.userId)).toMatchObject({ status: 'past_due', quota: 600 });
    });
  });
}
