import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, tables } from '../db/tables.ts';
import { anAddress, type Mailbox, openMailbox, signInDevice } from '../test-kit/mailbox.ts';
import { type Answer, confirmDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';

const MINUTE_MS = 60_000;
const ADMINS = anAddress();

export function adminsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let admin: TestDevice;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    const account = { access: 'granted', adminEmails: [ADMINS] } as const;
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue, account });
    admin = await signInDevice(server, mailbox, { email: ADMINS });
  });
  beforeEach(async () => {
    server.pass(20 * MINUTE_MS);
    email = anAddress();
    learner = await signInDevice(server, mailbox, { email });
    server.pass(1_000);
    await confirmDevice(server, admin);
  });
  afterAll(() => server.close());

  const asAdmin = (call: string, body: object, as = admin): Promise<Answer> =>
    server.post(`/v1/admin/${call}`, body, as.token);
  const revoke = () => asAdmin('revoke-access', { userId: learner.userId, reason: 'a breach' });
  const view = async (as = learner) =>
    (await server.send({ method: 'GET', url: '/v1/account', headers: { authorization: `Bearer ${as.token}` } })).body;
  const request = () => server.post('/v1/account/request-access', {}, learner.token);
  const actsOn = async (userId = learner.userId) =>
    (await server.database.db.select().from(auditLog).where(eq(auditLog.subjectId, userId)).orderBy(auditLog.at)).map(
      ({ act }) => act,
    );

  describe('admins', () => {
    const setAdmin = (userId: string, isAdmin: boolean, as = admin) =>
      asAdmin('set-admin', { userId, isAdmin, reason: 'a colleague' }, as);

    it('are whose addresses the server was started with, from when they sign in', async () => {
      expect(await view(admin)).toMatchObject({ isAdmin: true, hasAccess: true });
      expect(await actsOn(admin.userId)).toContain('admin_granted');
      expect(await view()).toMatchObject({ isAdmin: false });
    });

    it('make others admins, and learners again; what they may is looked up at each call', async () => {
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(403);
      await setAdmin(learner.userId, true);
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(200);
      await setAdmin(learner.userId, false);
      expect((await asAdmin('users', { page: 0 }, learner)).status).toBe(403);
      expect((await actsOn()).slice(-2)).toEqual(['admin_granted', 'admin_revoked']);
    });

    it('are never none: the last one stays, also when two take it from each other at once', async () => {
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
      // The slower one is no admin any more, or finds that they are the last.
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

    it('are never none thirty days later: the last one who stays cannot leave, also when two leave at once', async () => {
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

    it('find learners by parts of their address, and those who wait', async () => {
      const found = async (asked: object) =>
        ((await asAdmin('users', { page: 0, ...asked })).body['users'] as { userId: string }[]).map(
          ({ userId }) => userId,
        );
      expect(await found({ search: email.slice(2, 30).toUpperCase() })).toEqual([learner.userId]);
      expect(await found({ search: email, only: 'waiting' })).toEqual([]);
      await request();
      expect(await found({ search: email, only: 'waiting' })).toEqual([learner.userId]);
      server.pass(1_000);
      await revoke();
      expect(await found({ search: email, only: 'waiting' })).toEqual([]);
      for (const search of [`${email.slice(0, 9)}%`, email.replace('-', '_'), `' or 1=1 --`])
        expect(await found({ search }), search).toEqual([]);
      const { body } = await asAdmin('users', { page: 0 });
      expect(body['total']).toBeGreaterThan(1);
      expect((await asAdmin('users', { page: 1_000 })).body).toMatchObject({ users: [], total: body['total'] });
    });
  });
}
