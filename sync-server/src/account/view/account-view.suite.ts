import { randomUUID } from 'node:crypto';
import type { AccountView } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiUsage } from '../../db/metering-tables.ts';
import { devices, pendingPlanChanges, tables } from '../../db/tables.ts';
import { anEmail, type Mailbox, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import { registerDevice, START_MS, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

const DAY_MS = 24 * 3_600_000;
const AI = {
  services: { coach: null, transcriber: null, assessor: null, voice: null },
  dailyLimitUsd: null,
  isMetered: true,
};

export function accountViewSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let uncounted: TestServer;
  let mailbox: Mailbox;
  let learner: TestDevice;
  beforeAll(async () => {
    mailbox = createMailbox();
    const database = await open();
    server = await startServer(database, { enqueueMail: mailbox.enqueue, ai: AI });
    uncounted = await startServer(database, { enqueueMail: mailbox.enqueue });
  });
  beforeEach(async () => {
    learner = await signInDevice(server, mailbox, { email: anEmail() });
  });
  afterAll(async () => {
    await uncounted.app.close();
    await server.close();
  });

  const view = async (query = '', at = server, as = learner): Promise<AccountView> => {
    const headers = { authorization: `Bearer ${as.token}` };
    const { status, body } = await at.send({ method: 'GET', url: `/v1/account${query}`, headers });
    expect(status).toBe(200);
    return body as AccountView;
  };
  const use = (seconds: number, style: 'turn_based' | 'ultra_realistic', localDay = '2026-11-18') =>
    server.database.db.insert(aiUsage).values({
      id: randomUUID(),
      userId: learner.userId,
      use: 'live',
      style,
      seconds,
      localDay,
      at: server.now(),
    });
  const subscribe = (change: Partial<typeof tables.subscriptions.$inferInsert>) =>
    server.database.db.insert(tables.subscriptions).values({
      subscriptionId: randomUUID(),
      userId: learner.userId,
      planType: 'PLUS',
      quota: 0,
      remainingTime: 0,
      cancelAt: null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      currentPeriodStart: new Date(START_MS - DAY_MS),
      currentPeriodEnd: new Date(START_MS + 29 * DAY_MS),
      endedAt: null,
      priceId: null,
      quantity: null,
      status: 'active',
      providerSubscriptionId: null,
      createdAt: server.now(),
      updatedAt: server.now(),
      syncVersion: 1,
      deletedAt: null,
      ...change,
    });

  it("shows today's allowance of a free plan by the learner's local day", async () => {
    await use(90, 'turn_based');
    await use(600, 'turn_based', '2026-11-17');
    expect(await view('?timeZone=Europe/Berlin')).toMatchObject({
      plan: 'FREE',
      hasAccess: true,
      mustBeGranted: false,
      live: { allowedS: 600, leftS: 510 },
      calls: { allowedS: 0, leftS: 0 },
      resetsAt: '2026-11-18T23:00:00.000Z',
      subscription: null,
      mayTry: true,
      eraseAt: null,
    });
  });

  it.each([
    ['Asia/Tokyo', '2026-11-18T15:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-19T08:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-18T18:15:00.000Z'],
    ['UTC', '2026-11-19T00:00:00.000Z'],
  ])('resets at midnight in %s', async (timeZone, resetsAt) => {
    expect(await view(`?timeZone=${timeZone}`)).toMatchObject({ resetsAt });
  });

  it('keeps the time zone that the device last reported', async () => {
    expect((await view()).resetsAt).toBe('2026-11-18T23:00:00.000Z');
    await view('?timeZone=Asia/Tokyo');
    expect((await view()).resetsAt).toBe('2026-11-18T15:00:00.000Z');
    const [row] = await server.database.db.select().from(devices).where(eq(devices.deviceId, learner.deviceId));
    expect(row?.timeZone).toBe('Asia/Tokyo');
  });

  it('refuses an unknown time zone', async () => {
    const headers = { authorization: `Bearer ${learner.token}` };
    expect(await server.send({ method: 'GET', url: '/v1/account?timeZone=Mars/Crater', headers })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  });

  it("shows a paid plan's period and its end", async () => {
    await subscribe({ cancelAtPeriodEnd: true });
    await use(3_000, 'turn_based');
    await use(600, 'ultra_realistic', '2026-11-17');
    const currentPeriodEnd = new Date(START_MS + 29 * DAY_MS).toISOString();
    expect(await view()).toMatchObject({
      plan: 'PLUS',
      live: { allowedS: 36_000, leftS: 32_400 },
      calls: { allowedS: 3_600, leftS: 3_000 },
      resetsAt: currentPeriodEnd,
      subscription: {
        status: 'active',
        currentPeriodEnd,
        endsAt: currentPeriodEnd,
        endsWithAccount: false,
        isPeriodUnpaid: false,
        graceUntil: null,
      },
      mayTry: false,
    });
  });

  it.each([
    [1, 'month'],
    // There is no message for "billed every three months", and "billed monthly" would be wrong.
    [3, null],
  ])('names the interval of a pending change that is billed every %s months', async (intervalCount, interval) => {
    await subscribe({});
    const [id, at] = [randomUUID(), new Date(START_MS + 29 * DAY_MS)];
    const stamp = { createdAt: server.now(), updatedAt: server.now(), syncVersion: 1, deletedAt: null };
    await server.database.db
      .insert(tables.products)
      .values({ id, productId: id, active: true, name: 'Pro', description: null, isTest: true, ...stamp });
    await server.database.db.insert(tables.prices).values({
      id,
      priceId: id,
      productId: id,
      description: null,
      unitAmount: 900,
      currency: 'eur',
      pricingType: 'recurring',
      pricingPlanInterval: 'month',
      intervalCount,
      type: 'PRO',
      isTest: true,
      ...stamp,
    });
    await server.database.db
      .insert(pendingPlanChanges)
      .values({ userId: learner.userId, endsWithAccount: false, nextPriceId: id, nextAt: at });
    expect((await view()).subscription?.next).toEqual({ plan: 'PRO', interval, at: at.toISOString() });
  });

  it("does not reset a trial's allowance", async () => {
    await subscribe({ status: 'trialing' });
    expect(await view()).toMatchObject({ plan: 'TRIALING', live: { allowedS: 7_200 }, resetsAt: null });
  });

  it('shows the end of the grace period after a late payment', async () => {
    await subscribe({ status: 'past_due' });
    const pastDueSince = new Date(START_MS - DAY_MS);
    await server.database.db
      .insert(pendingPlanChanges)
      .values({ userId: learner.userId, endsWithAccount: false, pastDueSince });
    const graceUntil = new Date(START_MS + 6 * DAY_MS).toISOString();
    expect(await view()).toMatchObject({ plan: 'PLUS', subscription: { graceUntil } });
  });

  it('falls back to the free plan without a second trial', async () => {
    await subscribe({ status: 'canceled' });
    expect(await view()).toMatchObject({ plan: 'FREE', live: { allowedS: 600 }, mayTry: false });
  });

  it('reports no allowance on a server without metering', async () => {
    await use(90, 'turn_based');
    expect(await view('', uncounted)).toMatchObject({ plan: 'FREE', live: null, calls: null, resetsAt: null });
  });

  it('shows that a device has no address', async () => {
    const device = await registerDevice(server);
    expect(await view('', server, device)).toMatchObject({ email: null, hasAccess: true, waitingSince: null });
  });

  describe('access to the view', () => {
    it('needs a valid token', async () => {
      expect(await server.send({ method: 'GET', url: '/v1/account' })).toMatchObject({
        status: 401,
        body: { code: 'auth.required' },
      });
    });
  });
}
