import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { recordingBlobs } from '../../db/recording-tables.ts';
import { accountDeletions, auditLog, devices, tables } from '../../db/tables.ts';
import { anEmail, createMailbox, type Mailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { eraseDueAccounts } from './deletion.ts';
import { scheduleUnusedAccounts } from './unused-accounts.ts';

const DAY_MS = 24 * 3_600_000;

export function unusedAccountsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue });
  });
  afterAll(() => server.close());

  const cleanUp = async (): Promise<void> => {
    const parts = { db: server.database.db, now: server.now };
    await scheduleUnusedAccounts(parts);
    await eraseDueAccounts({
      ...parts,
      onFailure: (error) => {
        throw error;
      },
    });
  };
  const cleanUpAfter = async (days: number): Promise<void> => {
    server.advanceClock(days * DAY_MS);
    await cleanUp();
  };
  const exists = async ({ userId }: TestDevice): Promise<boolean> =>
    (await server.database.db.$count(tables.users, eq(tables.users.userId, userId))) > 0;
  const write = async (device: TestDevice): Promise<TestDevice> => {
    await device.push(device.change({ table: 'users', rowId: device.userId, fields: { firstName: 'Ana' } }));
    return device;
  };
  const aWrittenAccount = async (): Promise<TestDevice> => write(await registerDevice(server));

  describe('an account without an address and without any rows', () => {
    it('is erased after seven days, and its device can register it again', async () => {
      const device = await registerDevice(server);
      await cleanUpAfter(6.9);
      expect(await exists(device)).toBe(true);
      await cleanUpAfter(0.2);
      expect(await exists(device)).toBe(false);
      await expect(device.pull()).rejects.toThrow('auth.required');
      const again = { deviceId: device.deviceId, userId: device.userId, name: 'Laptop', platform: 'linux' };
      expect((await server.post('/v1/devices/register', again)).status).toBe(200);
    });

    it('leaves no entry in the audit log', async () => {
      const device = await registerDevice(server);
      await cleanUpAfter(8);
      expect(await exists(device)).toBe(false);
      expect(await server.database.db.$count(auditLog, eq(auditLog.subjectId, device.userId))).toBe(0);
    });

    it('is kept while its device is seen', async () => {
      const device = await registerDevice(server);
      await cleanUpAfter(6);
      await device.pull();
      await cleanUpAfter(6);
      expect(await exists(device)).toBe(true);
    });

    it('is kept when its device returns just before the erasure', async () => {
      const device = await registerDevice(server);
      server.advanceClock(8 * DAY_MS);
      await scheduleUnusedAccounts({ db: server.database.db, now: server.now });
      server.advanceClock(1);
      await write(device);
      await cleanUp();
      expect(await exists(device)).toBe(true);
      const scheduled = eq(accountDeletions.userId, device.userId);
      expect(await server.database.db.$count(accountDeletions, scheduled)).toBe(0);
    });
  });

  describe('an account without an address that holds something', () => {
    it('is scheduled after 400 days without its device, and erased thirty days later', async () => {
      const device = await aWrittenAccount();
      await cleanUpAfter(399);
      expect(await server.database.db.$count(accountDeletions, eq(accountDeletions.userId, device.userId))).toBe(0);
      await cleanUpAfter(2);
      await cleanUpAfter(29);
      expect(await exists(device)).toBe(true);
      await cleanUpAfter(2);
      expect(await exists(device)).toBe(false);
      const acts = await server.database.db.select().from(auditLog).where(eq(auditLog.subjectId, device.userId));
      expect(acts.map(({ act }) => act)).toEqual(['account_erased']);
    });

    it('is kept when its device returns within those thirty days', async () => {
      const device = await aWrittenAccount();
      await cleanUpAfter(401);
      server.advanceClock(DAY_MS);
      await device.pull();
      await cleanUpAfter(31);
      expect(await exists(device)).toBe(true);
    });

    it.each([
      ['an admin gives it access', { hasAccess: true }],
      ['an admin ends its access', { hasAccess: false }],
      ['it becomes an admin’s', { isAdmin: true }],
    ])('is kept when %s within those thirty days', async (_what, change) => {
      const device = await aWrittenAccount();
      await cleanUpAfter(401);
      const decided = { ...change, ...('hasAccess' in change ? { accessDate: server.now() } : {}) };
      await server.database.db.update(tables.users).set(decided).where(eq(tables.users.userId, device.userId));
      await cleanUpAfter(31);
      expect(await exists(device)).toBe(true);
      expect(await server.database.db.$count(accountDeletions, eq(accountDeletions.userId, device.userId))).toBe(0);
    });

    it('is kept when its device returns during the erasure', async () => {
      const device = await aWrittenAccount();
      await cleanUpAfter(401);
      server.advanceClock(31 * DAY_MS);
      const returns = async (userId: string): Promise<void> => {
        if (userId !== device.userId) return;
        server.advanceClock(1);
        await write(device);
      };
      await eraseDueAccounts({
        db: server.database.db,
        now: server.now,
        beforeErase: returns,
        onFailure: (error) => {
          throw error;
        },
      });
      expect(await exists(device)).toBe(true);
    });

    it('does not show the learner a deletion that they did not request', async () => {
      const device = await aWrittenAccount();
      await cleanUpAfter(401);
      const { body } = await server.send({
        method: 'GET',
        url: '/v1/account',
        headers: { authorization: `Bearer ${device.token}` },
      });
      expect(body).toMatchObject({ eraseAt: null });
    });
  });

  it('keeps accounts with an address, a second device or kept recordings', async () => {
    const signedIn = await signInDevice(server, mailbox, { email: anEmail(), as: await registerDevice(server) });
    const withTwoDevices = await aWrittenAccount();
    await joinDevice(server, withTwoDevices);
    const withSignedOutDevice = await aWrittenAccount();
    const second = await joinDevice(server, withSignedOutDevice);
    await withSignedOutDevice.revoke(second.deviceId);
    const recorded = await aWrittenAccount();
    const blob = { sha256: 'a'.repeat(64), fileId: randomUUID(), state: 'kept', bytes: 1 } as const;
    await server.database.db
      .insert(recordingBlobs)
      .values({ ...blob, userId: recorded.userId, createdAt: server.now() });
    const change = async (row: Partial<typeof tables.users.$inferInsert>): Promise<TestDevice> => {
      const device = await registerDevice(server);
      await server.database.db.update(tables.users).set(row).where(eq(tables.users.userId, device.userId));
      return device;
    };
    const granted = await change({ hasAccess: true, accessDate: server.now() });
    const revoked = await change({ hasAccess: false, accessDate: server.now() });
    const admin = await change({ isAdmin: true });
    const unused = await registerDevice(server);
    await cleanUpAfter(500);
    await cleanUpAfter(500);
    const kept = { signedIn, withTwoDevices, withSignedOutDevice, recorded, granted, revoked, admin };
    for (const [name, device] of Object.entries(kept)) expect(await exists(device), name).toBe(true);
    expect(await exists(unused)).toBe(false);
  });

  it('an erasure is withdrawn when a second device joins at the last moment', async () => {
    const device = await registerDevice(server);
    server.advanceClock(8 * DAY_MS);
    await scheduleUnusedAccounts({ db: server.database.db, now: server.now });
    server.advanceClock(1);
    await joinDevice(server, device);
    await server.database.db
      .update(devices)
      .set({ revokedAt: server.now() })
      .where(eq(devices.deviceId, device.deviceId));
    await cleanUp();
    expect(await exists(device)).toBe(true);
  });
}
