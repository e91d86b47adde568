import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { accountDeletions, aiUsage, auditLog, tables } from '../db/tables.ts';
import { furnish } from '../test-kit/furnish.ts';
import { anAddress, type Mailbox, openMailbox, signInDevice } from '../test-kit/mailbox.ts';
import { confirmDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';
import { eraseDue } from './deletion.ts';

const DAY_MS = 24 * 3_600_000;

export function deletionSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
  });
  beforeEach(async () => {
    server.pass(1_000);
    email = anAddress();
    learner = await signInDevice(server, mailbox, { email, as: await registerDevice(server) });
  });
  afterAll(() => server.close());

  const failures: unknown[] = [];
  const signedOut: string[] = [];
  const erase = (beforeErase?: (userId: string) => Promise<void>): Promise<number> =>
    eraseDue({
      db: server.database.db,
      now: server.now,
      signedOut: (deviceId) => signedOut.push(deviceId),
      onFailure: (error) => failures.push(error),
      ...(beforeErase === undefined ? {} : { beforeErase }),
    });
  const request = (as = learner) => server.post('/v1/account/request-deletion', {}, as.token);
  const withdraw = () => server.post('/v1/account/withdraw-deletion', {}, learner.token);
  const exists = async (userId = learner.userId): Promise<boolean> =>
    (await server.database.db.$count(tables.users, eq(tables.users.userId, userId))) > 0;
  const executed = async (query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> =>
    ((await server.database.db.execute(query)) as { rows: Record<string, unknown>[] }).rows;

  /** In every table that there is, those rows in which the text occurs. */
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

  describe('asking for it', () => {
    it('leaves thirty days, writes to the learner once, and says until when', async () => {
      const eraseAt = new Date(server.now().getTime() + 30 * DAY_MS);
      expect((await request()).body).toMatchObject({ eraseAt: eraseAt.toISOString() });
      server.pass(DAY_MS);
      await confirmDevice(server, learner);
      expect((await request()).body).toMatchObject({ eraseAt: eraseAt.toISOString() });
      const goodbyes = mailbox.to(email).filter(({ kind }) => kind === 'goodbye');
      expect(goodbyes).toMatchObject([{ userId: learner.userId, data: { eraseAt, timeZone: 'Europe/Berlin' } }]);
    });

    it('ends in each device being told that it is nobody’s any more', async () => {
      await request();
      server.pass(31 * DAY_MS);
      await erase();
      expect(signedOut).toContain(learner.deviceId);
    });

    it('can be taken back, and then nothing is erased', async () => {
      await request();
      expect((await withdraw()).body).toMatchObject({ eraseAt: null });
      server.pass(31 * DAY_MS);
      await erase();
      expect(await exists()).toBe(true);
      const acts = await server.database.db.select().from(auditLog).where(eq(auditLog.subjectId, learner.userId));
      expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['deletion_requested', 'deletion_withdrawn']));
    });

    it('is possible without an address, and then nobody is written to', async () => {
      const device = await registerDevice(server);
      expect((await request(device)).status).toBe(200);
      server.pass(31 * DAY_MS);
      await erase();
      expect(await exists(device.userId)).toBe(false);
    });
  });

  describe('when the days are over', () => {
    it('everything of the learner is gone from every table, and nothing of another', async () => {
      const otherEmail = email;
      const other = learner;
      await furnish(server, other);
      email = anAddress();
      learner = await signInDevice(server, mailbox, { email, as: await registerDevice(server) });
      await furnish(server, learner);
      const othersRows = await rowsWith(other.userId);
      await request();
      server.pass(30 * DAY_MS - 1);
      await erase();
      expect(await exists()).toBe(true);
      server.pass(1);
      expect(await erase()).toBe(1);
      // That there was somebody, what was decided about them and when: not who it was.
      expect(await rowsWith(learner.userId)).toEqual(['audit_log']);
      expect(await rowsWith(learner.deviceId)).toEqual([]);
      expect(await rowsWith(email)).toEqual([]);
      expect(await rowsWith(other.userId)).toEqual(othersRows);
      expect(await rowsWith(otherEmail)).toContain('users');
      expect(othersRows.length).toBeGreaterThan(12);
    });

    it('what a day has cost stays countable, by nobody in particular', async () => {
      await furnish(server, learner);
      const cost = async () =>
        (await executed(sql`select sum(cost_micros)::int as micros, count(*)::int as rows from ai_usage`))[0];
      const before = await cost();
      await request();
      server.pass(30 * DAY_MS);
      await erase();
      expect(await cost()).toEqual(before);
      expect(await server.database.db.$count(aiUsage, eq(aiUsage.userId, learner.userId))).toBe(0);
    });

    it('its devices are not known any more, and its address is free', async () => {
      await request();
      server.pass(30 * DAY_MS);
      await erase();
      await expect(learner.pull()).rejects.toThrow('auth.required');
      const again = await signInDevice(server, mailbox, { email, as: learner });
      expect(again.userId).not.toBe(learner.userId);
    });

    it('whoever else holds something of the learner is told first; while they cannot, others are erased', async () => {
      const stuck = learner;
      learner = await signInDevice(server, mailbox, { email: anAddress() });
      await request(stuck);
      await request();
      server.pass(30 * DAY_MS);
      const told: string[] = [];
      const beforeErase = async (userId: string): Promise<void> => {
        told.push(userId);
        if (userId === stuck.userId) throw new Error('the provider does not answer');
      };
      expect(await erase(beforeErase)).toBe(1);
      expect(told.toSorted()).toEqual([stuck.userId, learner.userId].toSorted());
      expect(failures).toHaveLength(1);
      expect(await exists(stuck.userId)).toBe(true);
      expect(await exists()).toBe(false);
      expect(await erase(async () => undefined)).toBe(1);
    });

    it('two servers that look at once erase once', async () => {
      await request();
      server.pass(30 * DAY_MS);
      const counts = await Promise.all([erase(), erase(), erase()]);
      expect(counts.toSorted()).toEqual([0, 0, 1]);
    });
  });

  describe('an account that a device has left', () => {
    it('is erased after the same time, when nobody came back', async () => {
      const laptop = await registerDevice(server);
      await signInDevice(server, mailbox, { email, as: laptop });
      expect((await laptop.pull()).length).toBeGreaterThan(0);
      server.pass(30 * DAY_MS);
      expect(await erase()).toBe(1);
      expect(await exists(laptop.userId)).toBe(false);
      expect(await exists()).toBe(true);
    });

    it('is kept for a device that goes on with it', async () => {
      const laptop = await registerDevice(server);
      await signInDevice(server, mailbox, { email, as: laptop });
      server.pass(DAY_MS);
      await laptop.push(laptop.change({ table: 'users', rowId: laptop.userId, fields: { firstName: 'Ana' } }));
      server.pass(30 * DAY_MS);
      expect(await erase()).toBe(0);
      expect(await exists(laptop.userId)).toBe(true);
      const marked = eq(accountDeletions.userId, laptop.userId);
      expect(await server.database.db.$count(accountDeletions, marked)).toBe(0);
    });
  });

  it('signing out ends the device’s time here, but the last one of an account without an address stays', async () => {
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
