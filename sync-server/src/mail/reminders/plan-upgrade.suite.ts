import { randomUUID } from 'node:crypto';
import { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiUsage } from '../../db/metering-tables.ts';
import { pendingPlanChanges, tables } from '../../db/tables.ts';
import { DAY_MS, HOUR_MS, setUpMailFixture, type StoredMail } from '../../../test-kit/mail/mail-fixture.ts';

const summarise = (mails: readonly Pick<StoredMail, 'kind' | 'step' | 'state'>[]): string[] =>
  mails.map(({ kind, step, state }) => `${kind} ${step} ${state}`);

export function planUpgradeSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpMailFixture(open);
  const runOnce = async (): Promise<void> => {
    await scene.mail.remind();
    await scene.mail.sendDue();
  };
  const runFor = async (ms: number, every: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += every) {
      await runOnce();
      scene.advanceClock(every);
    }
  };

  describe('a learner who is running out of minutes', () => {
    const daysAgo = (days: number): Date => new Date(scene.now().getTime() - days * DAY_MS);
    const used = (userId: string, seconds: number, age = 0) =>
      scene.database.db.insert(aiUsage).values({
        id: randomUUID(),
        userId,
        use: 'live',
        style: 'turn_based',
        seconds,
        at: daysAgo(age),
        localDay: daysAgo(age).toISOString().slice(0, 10),
      });
    const sell = async (type: 'PLUS' | 'PRO'): Promise<void> => {
      const { db } = scene.database;
      const [id, stamp] = [randomUUID(), { createdAt: scene.now(), updatedAt: scene.now(), syncVersion: 1 }];
      await db.insert(tables.products).values({
        id,
        productId: id,
        active: true,
        name: type,
        description: null,
        isTest: true,
        deletedAt: null,
        ...stamp,
      });
      await db.insert(tables.prices).values({
        id: randomUUID(),
        priceId: id,
        productId: id,
        description: null,
        unitAmount: 900,
        currency: 'eur',
        pricingType: 'recurring',
        pricingPlanInterval: 'month',
        intervalCount: 1,
        type,
        isTest: true,
        deletedAt: null,
        ...stamp,
      });
    };
    beforeEach(() => scene.database.db.update(tables.products).set({ active: false }));
    const practising = async () => {
      const learner = await scene.createLearner({ accessDate: new Date(scene.now().getTime() - 60 * DAY_MS) });
      // The time for reminders to practise has long passed.
      await scene.database.db
        .update(tables.users)
        .set({ lastLoginAt: new Date(scene.now().getTime() - 59 * DAY_MS) })
        .where(eq(tables.users.userId, learner.userId));
      return learner;
    };
    const subscribe = (userId: string, planType: 'PLUS' | 'PRO', period = { sinceDays: 10, forDays: 20 }) =>
      scene.database.db.insert(tables.subscriptions).values({
        subscriptionId: randomUUID(),
        userId,
        planType,
        quota: 36_000,
        remainingTime: 36_000,
        cancelAt: null,
        cancelAtPeriodEnd: false,
        canceledAt: null,
        currentPeriodStart: new Date(scene.now().getTime() - period.sinceDays * DAY_MS),
        currentPeriodEnd: new Date(scene.now().getTime() + period.forDays * DAY_MS),
        endedAt: null,
        priceId: null,
        quantity: 1,
        status: 'active',
        providerSubscriptionId: null,
        createdAt: scene.now(),
        updatedAt: scene.now(),
        syncVersion: 1,
        deletedAt: null,
      });

    it('gets no mail where no plan is sold', async () => {
      const [free, plus] = [await practising(), await practising()];
      await subscribe(plus.userId, 'PLUS');
      for (const day of [0, 2, 4]) await used(free.userId, 600, day);
      await used(plus.userId, 30_000, 1);
      await runOnce();
      expect(await scene.mailsOf(free.userId)).toEqual([]);
      expect(await scene.mailsOf(plus.userId)).toEqual([]);
    });

    it('on PLUS gets no mail where PRO is not sold', async () => {
      const [free, plus] = [await practising(), await practising()];
      await sell('PLUS');
      await subscribe(plus.userId, 'PLUS');
      for (const day of [0, 2, 4]) await used(free.userId, 600, day);
      await used(plus.userId, 30_000, 1);
      await runOnce();
      expect(summarise(await scene.mailsOf(free.userId))).toEqual(['plan_upgrade 1 sent']);
      expect(await scene.mailsOf(plus.userId)).toEqual([]);
    });

    it('gets no mail when the sale of plans ended while it was queued', async () => {
      const { userId } = await practising();
      await sell('PLUS');
      for (const day of [0, 2, 4]) await used(userId, 600, day);
      await scene.mail.remind();
      await scene.database.db.update(tables.products).set({ active: false });
      await scene.mail.sendDue();
      expect(summarise(await scene.mailsOf(userId))).toEqual(['plan_upgrade 1 suppressed']);
    });

    it('on FREE gets a mail after three full days of seven, once in thirty days', async () => {
      await sell('PLUS');
      const { userId } = await practising();
      for (const day of [0, 2]) await used(userId, 600, day);
      await used(userId, 599, 4);
      await runOnce();
      expect(await scene.mailsOf(userId)).toEqual([]);
      await used(userId, 1, 4);
      await runOnce();
      expect(summarise(await scene.mailsOf(userId))).toEqual(['plan_upgrade 1 sent']);
      await runFor(29 * DAY_MS, 6 * HOUR_MS);
      expect(await scene.mailsOf(userId)).toHaveLength(1);
      expect(await scene.userRow(userId)).toMatchObject({ planUpgradeReminderEmailSent: true });
    });

    it('gets no more of them after the link in one, but other reminders', async () => {
      await sell('PLUS');
      const { userId, email } = await practising();
      for (const day of [0, 2, 4]) await used(userId, 600, day);
      await runOnce();
      const reminder = scene.scriptedTransport.sent.find(({ to }) => to === email);
      const { upgradeDismissal } = scene.mail;
      expect(reminder?.text).toContain(upgradeDismissal.urlFor(userId));
      await upgradeDismissal.dismiss(LearnerId.parse(userId));
      for (let week = 0; week < 6; week += 1) {
        scene.advanceClock(7 * DAY_MS);
        for (const day of [0, 2, 4]) await used(userId, 600, day);
        await runOnce();
      }
      expect(await scene.mailsOf(userId)).toHaveLength(1);
      expect((await scene.userRow(userId)).emailNotifications).toBe(true);
    });

    it('on PLUS gets a mail at 80% of the period, and on PRO none', async () => {
      await sell('PRO');
      const [plus, pro] = [await practising(), await practising()];
      await subscribe(plus.userId, 'PLUS');
      await subscribe(pro.userId, 'PRO');
      await used(plus.userId, 20_000, 15);
      await used(plus.userId, 28_700, 3);
      await used(pro.userId, 108_000, 3);
      await runOnce();
      expect(scene.scriptedTransport.sent).toEqual([]);
      await used(plus.userId, 100, 1);
      await runOnce();
      expect(scene.scriptedTransport.sent.map(({ to }) => to)).toEqual([plus.email]);
    });

    it('gets no mail while a payment is late', async () => {
      await sell('PRO');
      const [stopped, plus] = [await practising(), await practising()];
      await subscribe(stopped.userId, 'PLUS', { sinceDays: 40, forDays: -10 });
      for (const day of [0, 2, 4]) await used(stopped.userId, 600, day);
      await subscribe(plus.userId, 'PRO');
      await used(plus.userId, 30_000, 1);
      await scene.database.db.update(tables.subscriptions).set({ status: 'past_due' });
      await scene.database.db.insert(pendingPlanChanges).values([
        { userId: stopped.userId, endsWithAccount: false, pastDueSince: daysAgo(10) },
        {
          userId: plus.userId,
          endsWithAccount: false,
          pastDueSince: daysAgo(8),
          paidPlan: 'PLUS',
          paidUntil: daysAgo(-20),
        },
      ]);
      await runOnce();
      expect(scene.scriptedTransport.sent).toEqual([]);
    });

    it('on a yearly PLUS gets a mail at 80% of a month', async () => {
      await sell('PRO');
      const plus = await practising();
      await subscribe(plus.userId, 'PLUS', { sinceDays: 40, forDays: 325 });
      // The monthly reset was at least nine days ago.
      await used(plus.userId, 30_000, 35);
      await used(plus.userId, 28_700, 3);
      await runOnce();
      expect(scene.scriptedTransport.sent).toEqual([]);
      await used(plus.userId, 100, 1);
      await runOnce();
      expect(scene.scriptedTransport.sent.map(({ to }) => to)).toEqual([plus.email]);
    });
  });
}
