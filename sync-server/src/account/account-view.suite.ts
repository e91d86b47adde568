import { randomUUID } from 'node:crypto';
import type { AccountView } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { aiUsage, devices, tables } from '../db/tables.ts';
import { anAddress, type Mailbox, openMailbox, signInDevice } from '../test-kit/mailbox.ts';
import { registerDevice, START_MS, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';

const DAY_MS = 24 * 3_600_000;
const AI = {
  services: { coach: null, transcriber: null, assessor: null, voice: null },
  dailyLimitUsd: null,
  countsMinutes: true,
};

export function accountViewSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let uncounted: TestServer;
  let mailbox: Mailbox;
  let learner: TestDevice;
  beforeAll(async () => {
    mailbox = openMailbox();
    const database = await open();
    server = await startServer(database, { enqueueMail: mailbox.enqueue, ai: AI });
    uncounted = await startServer(database, { enqueueMail: mailbox.enqueue });
  });
  beforeEach(async () => {
    learner = await signInDevice(server, mailbox, { email: anAddress() });
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

  it('of a free plan counts the learner’s own day', async () => {
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
  ])('in %s begins anew at midnight there', async (timeZone, resetsAt) => {
    expect(await view(`?timeZone=${timeZone}`)).toMatchObject({ resetsAt });
  });

  it('keeps the time zone that the device said last', async () => {
    expect((await view()).resetsAt).toBe('2026-11-18T23:00:00.000Z');
    await view('?timeZone=Asia/Tokyo');
    expect((await view()).resetsAt).toBe('2026-11-18T15:00:00.000Z');
    const [row] = await server.database.db.select().from(devices).where(eq(devices.deviceId, learner.deviceId));
    expect(row?.timeZone).toBe('Asia/Tokyo');
  });

  it('refuses a time zone that there is not', async () => {
    const headers = { authorization: `Bearer ${learner.token}` };
    expect(await server.send({ method: 'GET', url: '/v1/account?timeZone=Mars/Crater', headers })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  });

  it('of a paid plan counts its period, and says when that ends', async () => {
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

  it('of a trial does not begin anew', async () => {
    await subscribe({ status: 'trialing' });
    expect(await view()).toMatchObject({ plan: 'TRIALING', live: { allowedS: 7_200 }, resetsAt: null });
  });

  it('of a late payment says until when the plan holds', async () => {
    await subscribe({ status: 'past_due' });
    const graceUntil = new Date(START_MS + 6 * DAY_MS).toISOString();
    expect(await view()).toMatchObject({ plan: 'PLUS', subscription: { graceUntil } });
  });

  it('of a plan that is over is free again, but not to be tried again', async () => {
    await subscribe({ status: 'canceled' });
    expect(await view()).toMatchObject({ plan: 'FREE', live: { allowedS: 600 }, mayTry: false });
  });

  it('counts nothing where this server counts nothing', async () => {
    await use(90, 'turn_based');
    expect(await view('', uncounted)).toMatchObject({ plan: 'FREE', live: null, calls: null, resetsAt: null });
  });

  it('of a device without an address says so', async () => {
    const device = await registerDevice(server);
    expect(await view('', server, device)).toMatchObject({ email: null, hasAccess: true, waitingSince: null });
  });

  describe('is shown', () => {
    it('only to who proves to be of the account', async () => {
      expect(await server.send({ method: 'GET', url: '/v1/account' })).toMatchObject({
        status: 401,
        body: { code: 'auth.required' },
      });
    });
  });
}
