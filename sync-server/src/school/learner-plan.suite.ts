import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdminHome, LearnerDetail } from '@parley/contract';
import type { DatabaseConnection } from '../db/client.ts';
import { pendingPlanChanges, tables } from '../db/tables.ts';
import { anEmail } from '../../test-kit/mailbox.ts';
import { setUpSchool } from '../../test-kit/school/school-fixture.ts';

const DAY_MS = 24 * 3_600_000;

/** What an admin sees of a learner's plan and work. */
export function learnerPlanSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  const { users, subscriptions } = tables;
  let userId = '';
  const day = (days: number): Date => new Date(scene.server.now().getTime() + days * DAY_MS);
  const detail = async () => (await scene.ask('learner', { userId })).body as unknown as LearnerDetail;
  const payments = async () => {
    const { attention } = (await scene.ask('home', {})).body as unknown as AdminHome;
    return attention.filter((item) => item.userId === userId).map(({ kind, planUntil }) => ({ kind, planUntil }));
  };
  const subscribe = (change: Partial<typeof subscriptions.$inferInsert>) =>
    scene.server.database.db.insert(subscriptions).values({
      subscriptionId: randomUUID(),
      userId,
      planType: 'PLUS',
      quota: 0,
      remainingTime: 0,
      cancelAt: null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      currentPeriodStart: day(-10),
      currentPeriodEnd: day(20),
      endedAt: null,
      priceId: null,
      quantity: 1,
      status: 'active',
      providerSubscriptionId: null,
      createdAt: day(-10),
      updatedAt: day(-10),
      syncVersion: 1,
      deletedAt: null,
      ...change,
    });
  const isLateSince = (pastDueSince: Date) =>
    scene.server.database.db.insert(pendingPlanChanges).values({ userId, endsWithAccount: false, pastDueSince });

  beforeEach(async () => {
    const email = anEmail();
    await scene.ask('invite', { invitations: [{ email }] });
    const [user] = await scene.server.database.db.select().from(users).where(eq(users.email, email));
    userId = user?.userId ?? '';
  });

  describe('the plan of a learner', () => {
    it('renews until it is cancelled, and then ends', async () => {
      await subscribe({});
      const renewsAt = day(20).toISOString();
      expect((await detail()).plan).toMatchObject({ inEffect: 'PLUS', status: 'active', renewsAt, endsAt: null });
      await scene.server.database.db
        .update(subscriptions)
        .set({ cancelAtPeriodEnd: true, canceledAt: day(-1), quantity: 2 })
        .where(eq(subscriptions.userId, userId));
      expect((await detail()).plan).toMatchObject({
        inEffect: 'PLUS',
        renewsAt: null,
        endsAt: renewsAt,
        canceledAt: day(-1).toISOString(),
        quantity: 2,
      });
    });

    it('names the plan that follows', async () => {
      await subscribe({ planType: 'PRO' });
      const stamp = { createdAt: day(0), updatedAt: day(0), syncVersion: 1, deletedAt: null, isTest: true };
      const id = randomUUID();
      const product = { ...stamp, id, productId: id, active: true, name: 'Plus', description: null };
      await scene.server.database.db.insert(tables.products).values(product);
      await scene.server.database.db.insert(tables.prices).values({
        ...stamp,
        id,
        priceId: id,
        productId: id,
        description: null,
        unitAmount: 900,
        currency: 'eur',
        pricingType: 'recurring',
        pricingPlanInterval: 'month',
        intervalCount: 1,
        type: 'PLUS',
      });
      const change = { userId, endsWithAccount: false, nextPriceId: id, nextAt: day(20) };
      await scene.server.database.db.insert(pendingPlanChanges).values(change);
      expect((await detail()).plan?.next).toEqual({ plan: 'PLUS', at: day(20).toISOString() });
    });

    it('continues for seven days after a late payment, and then has stopped', async () => {
      await subscribe({ status: 'past_due' });
      await isLateSince(day(-2));
      const until = day(5).toISOString();
      expect((await detail()).plan).toMatchObject({ inEffect: 'PLUS', status: 'past_due', graceUntil: until });
      expect(await payments()).toEqual([{ kind: 'payment', planUntil: until }]);
      await scene.server.database.db
        .update(pendingPlanChanges)
        .set({ pastDueSince: day(-8) })
        .where(eq(pendingPlanChanges.userId, userId));
      expect((await detail()).plan).toMatchObject({ inEffect: 'FREE', type: 'PLUS', graceUntil: null });
      expect(await payments()).toEqual([{ kind: 'payment', planUntil: null }]);
    });

    it('is the free one once the paid one has ended', async () => {
      await subscribe({ status: 'canceled', canceledAt: day(-9), endedAt: day(-1) });
      expect((await detail()).plan).toMatchObject({
        inEffect: 'FREE',
        type: 'PLUS',
        status: 'canceled',
        renewsAt: null,
        endedAt: day(-1).toISOString(),
      });
    });
  });

  it('shows the industry in which a learner works', async () => {
    expect((await detail()).industry).toBeNull();
    const { db } = scene.server.database;
    const [industry] = await db.select().from(tables.industry).limit(1);
    await db
      .update(users)
      .set({ industry: industry?.id ?? '' })
      .where(eq(users.userId, userId));
    expect((await detail()).industry).toBe(industry?.name);
  });
}
