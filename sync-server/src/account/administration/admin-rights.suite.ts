import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { makeAdmin } from './make-admin.ts';
import { accountDeletions, auditLog, devices, tables } from '../../db/tables.ts';
import { anEmail, type Mailbox, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import {
  type JsonResponse,
  confirmDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const MINUTE_MS = 60_000;
const ADMIN_EMAIL = anEmail();

export function adminRightsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let admin: TestDevice;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    const account = { access: 'granted', adminEmails: [ADMIN_EMAIL] } as const;
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue, account });
    admin = await signInDevice(server, mailbox, { email: ADMIN_EMAIL });
  });
  beforeEach(async () => {
    server.advanceClock(20 * MINUTE_MS);
    email = anEmail();
    learner = await signInDevice(server, mailbox, { email });
    server.advanceClock(1_000);
    await confirmDevice(server, admin);
  });
  afterAll(() => server.close());

  const asAdmin = (call: string, body: object, as = admin): Promise<JsonResponse> =>
    server.post(`/v1/admin/${call}`, body, as.token);
  const revoke = () => asAdmin('revoke-access-of-many', { userIds: [learner.userId], reason: 'a breach' });
  const view = async (as = learner) =>
    (await server.send({ method: 'GET', url: '/v1/account', headers: { authorization: `Bearer ${as.token}` } })).body;
  const request = () => server.post('/v1/account/request-access', {}, learner.token);
  const actsOn = async (userId = learner.userId) =>
    (
      await server.database.db
        .select()
        .from(auditLog)
        .where(eq(auditLog.subjectId, userId))
        .orderBy(auditLog.at, auditLog.id)
    ).map(({ act }) => act);

  it('an admin of ADMIN_EMAILS whom another admin has removed is not an admin after signing in again', async () => {
    await asAdmin('set-admin', { userId: learner.userId, isAdmin: true, reason: 'takes over' });
    await confirmDevice(server, learner);
    const removed = { userId: admin.userId, isAdmin: false, reason: 'has left' };
    expect((await asAdmin('set-admin', removed, learner)).status).toBe(200);
    server.advanceClock(20 * MINUTE_MS);
    admin = await signInDevice(server, mailbox, { email: ADMIN_EMAIL });
    expect(await view(admin)).toMatchObject({ isAdmin: false });
    expect(await makeAdmin(server.database.db, { email: ADMIN_EMAIL, now: server.now() })).toBe('granted');
    server.advanceClock(20 * MINUTE_MS);
    admin = await signInDevice(server, mailbox, { email: ADMIN_EMAIL });
    expect(await view(admin)).toMatchObject({ isAdmin: true });
  });

  it('the operator makes an account an admin once, with access and a log entry', async () => {
    const grant = () => makeAdmin(server.database.db, { email, now: server.now() });
    expect(await grant()).toBe('granted');
    expect(await grant()).toBe('is_admin');
    expect(await view()).toMatchObject({ isAdmin: true, hasAccess: true });
    expect((await actsOn()).slice(-2)).toEqual(['access_granted', 'admin_granted']);
    expect(await makeAdmin(server.database.db, { email: anEmail(), now: server.now() })).toBe('no_account');
  });

  describe('admins', () => {
    const setAdmin = (userId: string, isAdmin: boolean, as = admin) =>
      asAdmin('set-admin', { userId, isAdmin, reason: 'a colleague' }, as);

    it('get the role at sign-in when their address is configured', async () => {
      expect(await view(admin)).toMatchObject({ isAdmin: true, hasAccess: true });
      expect(await actsOn(admin.userId)).toContain('admin_granted');
      expect(await view()).toMatchObject({ isAdmin: false });
    });

    it('grant and revoke the role, which is checked on each call', async () => {
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(403);
      await setAdmin(learner.userId, true);
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(200);
      await setAdmin(learner.userId, false);
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(403);
      expect((await actsOn()).slice(-2)).toEqual(['admin_granted', 'admin_revoked']);
    });

    it('cannot be reduced to none, even by two simultaneous demotions', async () => {
      await server.database.db.update(tables.users).set({ isAdmin: false }).where(eq(tables.users.isAdmin, true));
      await server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      const refused = { status: 409, body: { code: 'account.last_admin' } };
      expect(await setAdmin(admin.userId, false)).toMatchObject(refused);
      expect(await server.post('/v1/account/request-deletion', {}, admin.token)).toMatchObject(refused);
      await setAdmin(learner.userId, true);
      const answers = await Promise.all([
        setAdmin(learner.userId, false, admin),
        setAdmin(admin.userId, false, learner),
      ]);
      // The slower admin either has already lost the role or is refused as the last one.
      const [done, slower] = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(done).toBe(200);
      expect([403, 409]).toContain(slower);
      expect(await server.database.db.$count(tables.users, eq(tables.users.isAdmin, true))).toBe(1);
      await server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      await server.database.db
        .update(tables.users)
        .set({ isAdmin: false })
        .where(eq(tables.users.userId, learner.userId));
    });

    it('cannot all delete their accounts, even at the same time', async () => {
      const { db } = server.database;
      const ask = (call: string, as: TestDevice) => server.post(`/v1/account/${call}`, {}, as.token);
      await db.update(tables.users).set({ isAdmin: false }).where(eq(tables.users.isAdmin, true));
      await db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, admin.userId));
      await setAdmin(learner.userId, true);
      const refused = { status: 409, body: { code: 'account.last_admin' } };
      const answers = await Promise.all([admin, learner].map((as) => ask('request-deletion', as)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const [leaving, staying] = answers[0]?.status === 200 ? [admin, learner] : [learner, admin];
      expect(await ask('request-deletion', staying)).toMatchObject(refused);
      expect(await setAdmin(staying.userId, false, leaving)).toMatchObject(refused);
      expect((await ask('request-deletion', leaving)).status).toBe(200);
      expect((await ask('withdraw-deletion', leaving)).status).toBe(200);
      expect((await setAdmin(learner.userId, false, admin)).status).toBe(200);
    });

    it('do not list an account that its device has left for another, unless the device returns', async () => {
      const { db } = server.database;
      const left = await registerDevice(server);
      const requestedAt = server.now();
      await db
        .insert(accountDeletions)
        .values({ userId: left.userId, requestedAt, eraseAt: requestedAt, leftFor: learner.userId });
      const total = async () => (await asAdmin('users', { page: 0 })).body['total'] as number;
      const before = await total();
      await db
        .update(devices)
        .set({ lastSeenAt: new Date(requestedAt.getTime() + 1_000) })
        .where(eq(devices.userId, left.userId));
      expect(await total()).toBe(before + 1);
      await db.delete(accountDeletions).where(eq(accountDeletions.userId, left.userId));
    });

    it('find learners by part of an address or by waiting state', async () => {
      const found = async (asked: object) =>
        ((await asAdmin('users', { page: 0, ...asked })).body['rows'] as { userId: string }[]).map(
          ({ userId }) => userId,
        );
      expect(await found({ search: email.slice(2, 30).toUpperCase() })).toEqual([learner.userId]);
      expect(await found({ search: email, only: 'waiting' })).toEqual([]);
      await request();
      expect(await found({ search: email, only: 'waiting' })).toEqual([learner.userId]);
      server.advanceClock(1_000);
      await revoke();
      expect(await found({ search: email, only: 'waiting' })).toEqual([]);
      for (const search of [`${email.slice(0, 9)}%`, email.replace('-', '_'), `' or 1=1 --`])
        expect(await found({ search }), search).toEqual([]);
      const { body } = await asAdmin('users', { page: 0 });
      expect(body['total']).toBeGreaterThan(1);
      expect((await asAdmin('users', { page: 1_000 })).body).toMatchObject({ rows: [], total: body['total'] });
    });
  });
}
