import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog } from '../db/tables.ts';
import { anAddress, aSigningDevice, type Mailbox, openMailbox, signInDevice } from '../test-kit/mailbox.ts';
import { type CatalogueIds, catalogueIds, pushSession } from '../test-kit/rows.ts';
import {
  type Answer,
  confirmDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../test-kit/server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ADMINS = anAddress();

export function accessSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let openServer: TestServer;
  let mailbox: Mailbox;
  let ids: CatalogueIds;
  let admin: TestDevice;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    const database = await open();
    const enqueueMail = mailbox.enqueue;
    const account = { access: 'granted', adminEmails: [ADMINS] } as const;
    server = await startServer(database, { withCatalogue: true, enqueueMail, account });
    openServer = await startServer(database, { enqueueMail, account: { access: 'open' } });
    admin = await signInDevice(server, mailbox, { email: ADMINS });
    ids = await catalogueIds(admin);
  });
  beforeEach(async () => {
    server.pass(20 * MINUTE_MS);
    email = anAddress();
    learner = await signInDevice(server, mailbox, { email });
    server.pass(1_000);
    await confirmDevice(server, admin);
  });
  afterAll(async () => {
    await openServer.app.close();
    await server.close();
  });

  const asAdmin = (call: string, body: object, as = admin): Promise<Answer> =>
    server.post(`/v1/admin/${call}`, body, as.token);
  const grant = (userId = learner.userId) => asAdmin('grant-access', { userId, reason: 'a pilot' });
  const revoke = (userId = learner.userId, reason = 'a breach') => asAdmin('revoke-access', { userId, reason });
  const get = (url: string, as: TestDevice): Promise<Answer> =>
    server.send({ method: 'GET', url, headers: { authorization: `Bearer ${as.token}` } });
  const view = async (as = learner) => (await get('/v1/account', as)).body;
  const request = (as = learner) => server.post('/v1/account/request-access', {}, as.token);
  const actsOn = async (userId = learner.userId) =>
    (await server.database.db.select().from(auditLog).where(eq(auditLog.subjectId, userId)).orderBy(auditLog.at)).map(
      ({ act }) => act,
    );

  const held = () => {
    const { practiceId, agentId } = ids;
    return { sessionId: randomUUID(), practiceId, agentId, difficulty: 'easy', turns: [], completed: [] };
  };
  /** Everything that costs, as a device asks for it. */
  const coachCalls = (): [path: string, body: object | Buffer][] => [
    ['/v1/coach/lease', { sessionId: randomUUID(), style: 'turn_based', timeZone: 'UTC', takeOver: false }],
    ['/v1/coach/reply', held()],
    ['/v1/coach/hint', { ...held(), level: 1 }],
    ['/v1/coach/review', held()],
    ['/v1/coach/translate', { text: 'Hello', language: 'German' }],
    ['/v1/speech/speak', { text: 'Hello', voice: { pitch: 1, rate: 1, accent: 'american', gender: 'female' } }],
    [`/v1/speech/transcribe?sessionId=${randomUUID()}`, Buffer.alloc(320)],
    [`/v1/speech/assess?sessionId=${randomUUID()}`, Buffer.alloc(320)],
  ];
  const codesOfCoachCalls = async (as: TestDevice, at = server) => {
    const codes: unknown[] = [];
    for (const [url, payload] of coachCalls()) {
      const type = Buffer.isBuffer(payload) ? { 'content-type': 'audio/l16' } : {};
      const { statusCode, payload: text } = await at.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${as.token}`, ...type },
        payload,
      });
      const code = /"code":"([a-z._]+)"/.exec(text)?.[1];
      codes.push(code ?? statusCode);
    }
    return codes;
  };

  describe('who has no access', () => {
    it('is refused everything that costs, in the same words', async () => {
      expect(new Set(await codesOfCoachCalls(learner))).toEqual(new Set(['access.required']));
      const device = await registerDevice(server);
      expect(new Set(await codesOfCoachCalls(device))).toEqual(new Set(['access.required']));
    });

    it('may still sync, see what there is, export, leave and sign in', async () => {
      const { pushed } = await pushSession(server, learner, ids, 'practised on my own');
      expect(pushed).toMatchObject({ outcomes: [{ status: 'applied' }] });
      expect((await get('/v1/coach', learner)).status).toBe(200);
      expect((await get('/v1/account/export', learner)).status).toBe(200);
      expect((await server.post('/v1/account/request-deletion', {}, learner.token)).status).toBe(200);
      expect((await server.post('/v1/account/withdraw-deletion', {}, learner.token)).status).toBe(200);
      await signInDevice(server, mailbox, { email, as: learner });
    });

    it('waits from when they asked, once, however often they ask', async () => {
      expect(await view()).toMatchObject({ hasAccess: false, mustBeGranted: true, waitingSince: null });
      const waitingSince = server.now().toISOString();
      expect((await request()).body).toMatchObject({ waitingSince });
      server.pass(MINUTE_MS);
      expect((await request()).body).toMatchObject({ waitingSince });
      expect(await actsOn()).toEqual(['signed_in', 'access_requested']);
    });

    it('cannot ask without an address', async () => {
      const device = await registerDevice(server);
      expect(await request(device)).toMatchObject({ status: 409, body: { code: 'account.no_email' } });
    });
  });

  describe('granting access', () => {
    it('lets the learner in at once, on every device, and writes to them', async () => {
      await request();
      server.pass(MINUTE_MS);
      expect((await grant()).status).toBe(200);
      const user = (await learner.pull()).find(({ table }) => table === 'users')?.fields;
      expect(user).toMatchObject({ hasAccess: true, accessDate: server.now().toISOString() });
      expect(await view()).toMatchObject({ hasAccess: true, waitingSince: null });
      expect(await codesOfCoachCalls(learner)).not.toContain('access.required');
      expect(mailbox.to(email).map(({ kind }) => kind)).toEqual(['sign_in', 'access_link']);
    });

    it('sends a link that signs in for seven days, and no longer', async () => {
      await grant();
      const link = mailbox.link(email);
      server.pass(7 * DAY_MS - 1);
      const body = { ...aSigningDevice(), link };
      expect(await server.post('/v1/account/sign-in-by-link', body)).toMatchObject({
        status: 200,
        body: { credentials: { userId: learner.userId } },
      });
      await confirmDevice(server, admin);
      await revoke();
      await grant();
      const later = mailbox.link(email);
      expect(later).not.toBe(link);
      server.pass(7 * DAY_MS);
      expect((await server.post('/v1/account/sign-in-by-link', { ...body, link: later })).status).toBe(410);
    });

    it('twice writes once', async () => {
      await Promise.all([grant(), grant(), grant()]);
      expect(mailbox.to(email).filter(({ kind }) => kind === 'access_link')).toHaveLength(1);
      expect((await actsOn()).filter((act) => act === 'access_granted')).toHaveLength(1);
    });

    it('to nobody is refused', async () => {
      expect(await grant(randomUUID())).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
    });
  });

  describe('taking access away', () => {
    beforeEach(async () => {
      await grant();
      server.pass(MINUTE_MS);
    });

    it('ends a live conversation at its next turn, and deletes nothing', async () => {
      await pushSession(server, learner, ids, 'what was said');
      const before = (await learner.pull()).filter(({ table }) => table === 'practice_history');
      expect(await codesOfCoachCalls(learner)).not.toContain('access.required');
      expect((await revoke()).status).toBe(200);
      expect(new Set(await codesOfCoachCalls(learner))).toEqual(new Set(['access.taken']));
      expect((await learner.pull()).filter(({ table }) => table === 'practice_history')).toEqual(before);
    });

    it('says who, when and why', async () => {
      await revoke(learner.userId, 'sells seats');
      const { body } = await asAdmin('audit', { userId: learner.userId, page: 0 });
      expect(body).toMatchObject({
        total: 3,
        entries: [
          { act: 'access_revoked', actorId: admin.userId, reason: 'sells seats', at: server.now().toISOString() },
          { act: 'access_granted', actorId: admin.userId, reason: 'a pilot' },
          { act: 'signed_in' },
        ],
      });
    });

    it('needs a reason', async () => {
      for (const reason of ['', '   ', undefined])
        expect(await asAdmin('revoke-access', { userId: learner.userId, reason })).toMatchObject({ status: 400 });
      expect(await view()).toMatchObject({ hasAccess: true });
    });

    it('is not undone by signing in, and the learner may ask again', async () => {
      await revoke();
      const again = await signInDevice(server, mailbox, { email, as: learner });
      const accessTaken = { at: server.now().toISOString(), reason: 'a breach' };
      expect(await view(again)).toMatchObject({ hasAccess: false, waitingSince: null, accessTaken });
      server.pass(1_000);
      const waitingSince = server.now().toISOString();
      expect((await request(again)).body).toMatchObject({ waitingSince, accessTaken: null });
      server.pass(1_000);
      await grant();
      expect(await view(again)).toMatchObject({ hasAccess: true, waitingSince: null, accessTaken: null });
    });
  });

  describe('a server that is open', () => {
    it('lets everybody in, also whom nobody knows', async () => {
      const device = await registerDevice(openServer);
      expect(await codesOfCoachCalls(device, openServer)).not.toContain('access.required');
      expect(await codesOfCoachCalls(learner, openServer)).not.toContain('access.required');
    });

    it('but not from whom access was taken', async () => {
      await grant();
      await revoke();
      expect(new Set(await codesOfCoachCalls(learner, openServer))).toEqual(new Set(['access.taken']));
    });
  });
}
