import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiUsage } from '../../db/metering-tables.ts';
import { accountDeletions, auditLog, tables } from '../../db/tables.ts';
import { seedLearner } from '../../../test-kit/sync/seed-learner.ts';
import { anEmail, type Mailbox, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import {
  confirmDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';
import { eraseDueAccounts } from './deletion.ts';

const DAY_MS = 24 * 3_600_000;

export function deletionSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
  });
  beforeEach(async () => {
    server.advanceClock(1_000);
    email = anEmail();
    learner = await signInDevice(server, mailbox, { email, as: await registerDevice(server) });
  });
  afterAll(() => server.close());

  const failures: unknown[] = [];
  const signedOut: string[] = [];
  const erase = (beforeErase?: (userId: string) => Promise<void>): Promise<number> =>
    eraseDueAccounts({
      db: server.database.db,
      now: server.now,
      onDeviceSignedOut: (deviceId) => signedOut.push(deviceId),
      onFailure: (error) => failures.push(error),
      ...(beforeErase === undefined ? {} : { beforeErase }),
    });
  const request = (as = learner) => server.post('/v1/account/request-deletion', {}, as.token);
  const withdraw = () => server.post('/v1/account/withdraw-deletion', {}, learner.token);
  const exists = async (userId = learner.userId): Promise<boolean> =>
    (await server.database.db.$count(tables.users, eq(tables.users.userId, userId))) > 0;
  const executed = async (query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    ((await server.database.db.execute(query)) as { rows: Record<string, unknown>[] }).rows;

  /** The tables that contain the text in any row. */
  const rowsWith = async (text: string): Promise<string[]> => {
    const names = await executed(sql`select table_name from information_schema.tables where table_schema = 'public'`);
    expect(names.length).toBeGreaterThan(30);
    const found: string[] = [];
    for (const { table_name: name } of names) {
      const [row] = await executed(
        sql`select count(*)::int as rows from ${sql.identifier(String(name))} t where t::text ilike ${`%${text}%`}`,
      );
      if (row?.['rows'] !== 0) found.push(String(name));
    }
    return found.toSorted();
  };

  describe('requesting deletion', () => {
    it('sends one e-mail and schedules the erasure in thirty days', async () => {
      const eraseAt = new Date(server.now().getTime() + 30 * DAY_MS);
      expect((await request()).body).toMatchObject({ eraseAt: eraseAt.toISOString() });
      server.advanceClock(DAY_MS);
      await confirmDevice(server, learner);
      expect((await request()).body).toMatchObject({ eraseAt: eraseAt.toISOString() });
      const goodbyes = mailbox.to(email).filter(({ kind }) => kind === 'goodbye');
      expect(goodbyes).toMatchObject([{ userId: learner.userId, data: { eraseAt, timeZone: 'Europe/Berlin' } }]);
    });

    it('signs every device out after the erasure', async () => {
      await request();
      server.advanceClock(31 * DAY_MS);
      await erase();
      expect(signedOut).toContain(learner.deviceId);
    });

    it('can be withdrawn, and then nothing is erased', async () => {
      await request();
      expect((await withdraw()).body).toMatchObject({ eraseAt: null });
      server.advanceClock(31 * DAY_MS);
      await erase();
      expect(await exists()).toBe(true);
      const acts = await server.database.db.select().from(auditLog).where(eq(auditLog.subjectId, learner.userId));
      expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['deletion_requested', 'deletion_withdrawn']));
    });

    it('works without an address, and then sends no e-mail', async () => {
      const device = await registerDevice(server);
      expect((await request(device)).status).toBe(200);
      server.advanceClock(31 * DAY_MS);
      await erase();
      expect(await exists(device.userId)).toBe(false);
    });
  });

  describe('after thirty days', () => {
    it('erases the learner from every table and leaves other learners alone', async () => {
      const otherEmail = email;
      const other = learner;
      await seedLearner(server, other);
      email = anEmail();
      learner = await signInDevice(server, mailbox, { email, as: await registerDevice(server) });
      await seedLearner(server, learner);
      const othersRows = await rowsWith(other.userId);
      await request();
      server.advanceClock(30 * DAY_MS - 1);
      await erase();
      expect(await exists()).toBe(true);
      server.advanceClock(1);
      expect(await erase()).toBe(1);
      // The audit log keeps what was decided and when, without the learner's identity.
      expect(await rowsWith(learner.userId)).toEqual(['audit_log']);
      expect(await rowsWith(learner.deviceId)).toEqual([]);
      expect(await rowsWith(email)).toEqual([]);
      expect(await rowsWith(other.userId)).toEqual(othersRows);
      expect(await rowsWith(otherEmail)).toContain('users');
      expect(othersRows.length).toBeGreaterThan(12);
    });

    it("keeps the day's costs without the learner", async () => {
      await seedLearner(server, learner);
      const cost = async () =>
        (await executed(sql`select sum(cost_micros)::int as micros, count(*)::int as rows from ai_usage`))[0];
      const before = await cost();
      await request();
      server.advanceClock(30 * DAY_MS);
      await erase();
      expect(await cost()).toEqual(before);
      expect(await server.database.db.$count(aiUsage, eq(aiUsage.userId, learner.userId))).toBe(0);
    });

    it('frees the address and forgets the devices', async () => {
      await request();
      server.advanceClock(30 * DAY_MS);
      await erase();
      await expect(learner.pull()).rejects.toThrow('auth.required');
      const again = await signInDevice(server, mailbox, { email, as: learner });
      expect(again.userId).not.toBe(learner.userId);
    });

    it('notifies other holders first, and a failure there does not block others', async () => {
      const stuck = learner;
      learner = await signInDevice(server, mailbox, { email: anEmail() });
      await request(stuck);
      await request();
      server.advanceClock(30 * DAY_MS);
      const told: string[] = [];
      const beforeErase = async (userId: string): Promise<void> => {
        told.push(userId);
        if (userId === stuck.userId) throw new Error('the provider is unreachable');
      };
      expect(await erase(beforeErase)).toBe(1);
      expect(told.toSorted()).toEqual([stuck.userId, learner.userId].toSorted());
      expect(failures).toHaveLength(1);
      expect(await exists(stuck.userId)).toBe(true);
      expect(await exists()).toBe(false);
      expect(await erase(async () => undefined)).toBe(1);
    });

    it('erases once when several servers run the job', async () => {
      await request();
      server.advanceClock(30 * DAY_MS);
      const counts = await Promise.all([erase(), erase(), erase()]);
      expect(counts.toSorted()).toEqual([0, 0, 1]);
    });
  });

  it('an erased account cannot be registered again, unless it was erased without a request', async () => {
    const register = ({ userId, deviceId }: TestDevice) =>
      server.post('/v1/devices/register', { userId, deviceId, name: 'Laptop', platform: 'other' });
    const [asked, unused] = [await registerDevice(server), await registerDevice(server)];
    const [requestedAt, eraseAt] = [server.now(), server.now()];
    await server.database.db.insert(accountDeletions).values([
      { userId: asked.userId, requestedAt, eraseAt, leftFor: null },
      { userId: unused.userId, requestedAt, eraseAt, leftFor: unused.userId },
    ]);
    server.advanceClock(1);
    expect(await erase()).toBe(2);
    expect(await register(asked)).toMatchObject({
      status: 403,
      body: { code: 'auth.forbidden', data: { detail: 'account_erased' } },
    });
    expect(await exists(asked.userId)).toBe(false);
    const userIds = [asked.userId, unused.userId, learner.userId];
    expect(await server.post('/v1/account/erased', { userIds }, learner.token)).toMatchObject({
      status: 200,
      body: { userIds: [asked.userId] },
    });
    expect(await register(unused)).toMatchObject({ status: 200 });
  });

  describe('an account that its device has left', () => {
    it('is erased after thirty days if no device returns', async () => {
      const laptop = await registerDevice(server);
      await signInDevice(server, mailbox, { email, as: laptop });
      expect((await laptop.pull()).length).toBeGreaterThan(0);
      server.advanceClock(30 * DAY_MS);
      expect(await erase()).toBe(1);
      expect(await exists(laptop.userId)).toBe(false);
      expect(await exists()).toBe(true);
    });

    it('is kept when its device returns', async () => {
      const laptop = await registerDevice(server);
      await signInDevice(server, mailbox, { email, as: laptop });
      server.advanceClock(DAY_MS);
      await laptop.push(laptop.change({ table: 'users', rowId: laptop.userId, fields: { firstName: 'Ana' } }));
      server.advanceClock(30 * DAY_MS);
      expect(await erase()).toBe(0);
      expect(await exists(laptop.userId)).toBe(true);
      const marked = eq(accountDeletions.userId, laptop.userId);
      expect(await server.database.db.$count(accountDeletions, marked)).toBe(0);
    });
  });

  it('signing out revokes the device, except the last one without an address', async () => {
    expect(await server.post('/v1/account/sign-out', {}, learner.token)).toEqual({
      status: 200,
      body: { deviceId: learner.deviceId },
    });
    await expect(learner.pull()).rejects.toThrow('auth.device_revoked');
    const device = await registerDevice(server);
    expect(await server.post('/v1/account/sign-out', {}, device.token)).toMatchObject({
      status: 409,
      body: { code: 'account.no_email' },
    });
    await device.pull();
  });
}
