import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { auditLog } from '../../db/tables.ts';
import { anEmail, aDeviceToSignIn, type Mailbox, createMailbox, signInDevice } from '../../../test-kit/mailbox.ts';
import { type CatalogueIds, catalogueIds, pushSession } from '../../../test-kit/sync/rows.ts';
import {
  type JsonResponse,
  confirmDevice,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../../test-kit/server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ADMIN_EMAIL = anEmail();

export function accessSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let openServer: TestServer;
  let mailbox: Mailbox;
  let ids: CatalogueIds;
  let admin: TestDevice;
  let learner: TestDevice;
  let email: string;
  beforeAll(async () => {
    mailbox = createMailbox();
    const database = await open();
    const enqueueMail = mailbox.enqueue;
    const account = { access: 'granted', adminEmails: [ADMIN_EMAIL] } as const;
    server = await startServer(database, { withCatalogue: true, enqueueMail, account });
    openServer = await startServer(database, { enqueueMail, account: { access: 'open' } });
    admin = await signInDevice(server, mailbox, { email: ADMIN_EMAIL });
    ids = await catalogueIds(admin);
  });
  beforeEach(async () => {
    server.advanceClock(20 * MINUTE_MS);
    email = anEmail();
    learner = await signInDevice(server, mailbox, { email });
    server.advanceClock(1_000);
    await confirmDevice(server, admin);
  });
  afterAll(async () => {
    await openServer.app.close();
    await server.close();
  });

  const asAdmin = (call: string, body: object, as = admin): Promise<JsonResponse> =>
    server.post(`/v1/admin/${call}`, body, as.token);
  const grant = (userId = learner.userId) => asAdmin('grant-access-to-many', { userIds: [userId], reason: 'a pilot' });
  const revoke = (userId = learner.userId, reason: string | null = 'a breach') =>
    asAdmin('revoke-access-of-many', { userIds: [userId], reason });
  const get = (url: string, as: TestDevice): Promise<JsonResponse> =>
    server.send({ method: 'GET', url, headers: { authorization: `Bearer ${as.token}` } });
  const view = async (as = learner) => (await get('/v1/account', as)).body;
  const request = (as = learner) => server.post('/v1/account/request-access', {}, as.token);
  const actsOn = async (userId = learner.userId) =>
    (
      await server.database.db
        .select()
        .from(auditLog)
        .where(eq(auditLog.subjectId, userId))
        .orderBy(auditLog.at, auditLog.id)
    ).map(({ act }) => act);

  const coachContext = () => {
    const { practiceId, agentId } = ids;
    return { sessionId: randomUUID(), practiceId, agentId, difficulty: 'easy', turns: [], completed: [] };
  };
  /** Every call that costs money, in the form in which a device sends it. */
  const coachCalls = (): [path: string, body: object | Buffer][] => [
    ['/v1/coach/lease', { sessionId: randomUUID(), style: 'turn_based', timeZone: 'UTC', takeOver: false }],
    ['/v1/coach/reply', coachContext()],
    ['/v1/coach/hint', { ...coachContext(), level: 1 }],
    ['/v1/coach/review', coachContext()],
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

  describe('a learner without access', () => {
    it('is refused every call that costs money, with the same code', async () => {
      expect(new Set(await codesOfCoachCalls(learner))).toEqual(new Set(['access.required']));
      const device = await registerDevice(server);
      expect(new Set(await codesOfCoachCalls(device))).toEqual(new Set(['access.required']));
    });

    it('can still sync, see the offer, export, delete the account and sign in', async () => {
      const { pushed } = await pushSession(server, learner, ids, 'practised on my own');
      expect(pushed).toMatchObject({ outcomes: [{ status: 'applied' }] });
      expect((await get('/v1/coach', learner)).status).toBe(200);
      expect((await get('/v1/account/export', learner)).status).toBe(200);
      expect((await server.post('/v1/account/request-deletion', {}, learner.token)).status).toBe(200);
      expect((await server.post('/v1/account/withdraw-deletion', {}, learner.token)).status).toBe(200);
      await signInDevice(server, mailbox, { email, as: learner });
    });

    it('waits from the first request, however often they ask', async () => {
      expect(await view()).toMatchObject({ hasAccess: false, mustBeGranted: true, waitingSince: null });
      const waitingSince = server.now().toISOString();
      expect((await request()).body).toMatchObject({ waitingSince });
      server.advanceClock(MINUTE_MS);
      expect((await request()).body).toMatchObject({ waitingSince });
      expect(await actsOn()).toEqual(['signed_in', 'access_requested']);
    });

    it('cannot ask for access without an address', async () => {
      const device = await registerDevice(server);
      expect(await request(device)).toMatchObject({ status: 409, body: { code: 'account.no_email' } });
    });
  });

  describe('granting access', () => {
    it('applies at once on every device and sends an e-mail', async () => {
      await request();
      server.advanceClock(MINUTE_MS);
      expect((await grant()).status).toBe(200);
      const user = (await learner.pull()).find(({ table }) => table === 'users')?.fields;
      expect(user).toMatchObject({ hasAccess: true, accessDate: server.now().toISOString() });
      expect(await view()).toMatchObject({ hasAccess: true, waitingSince: null });
      expect(await codesOfCoachCalls(learner)).not.toContain('access.required');
      expect(mailbox.to(email).map(({ kind }) => kind)).toEqual(['sign_in', 'access_link']);
    });

    it('sends a link that signs in for seven days', async () => {
      await grant();
      const link = mailbox.link(email);
      server.advanceClock(7 * DAY_MS - 1);
      const body = { ...aDeviceToSignIn(), link };
      expect(await server.post('/v1/account/sign-in-by-link', body)).toMatchObject({
        status: 200,
        body: { credentials: { userId: learner.userId } },
      });
      await confirmDevice(server, admin);
      await revoke();
      await grant();
      const later = mailbox.link(email);
      expect(later).not.toBe(link);
      server.advanceClock(7 * DAY_MS);
      expect((await server.post('/v1/account/sign-in-by-link', { ...body, link: later })).status).toBe(410);
    });

    it('sends one e-mail when it is granted several times', async () => {
      await Promise.all([grant(), grant(), grant()]);
      expect(mailbox.to(email).filter(({ kind }) => kind === 'access_link')).toHaveLength(1);
      expect((await actsOn()).filter((act) => act === 'access_granted')).toHaveLength(1);
    });

    it('counts an unknown learner as missing', async () => {
      expect(await grant(randomUUID())).toMatchObject({ status: 200, body: { changed: 0, missing: 1 } });
    });
  });

  describe('revoking access', () => {
    beforeEach(async () => {
      await grant();
      server.advanceClock(MINUTE_MS);
    });

    it('ends a coach session at its next turn and deletes nothing', async () => {
      await pushSession(server, learner, ids, 'what was said');
      const before = (await learner.pull()).filter(({ table }) => table === 'practice_history');
      expect(await codesOfCoachCalls(learner)).not.toContain('access.required');
      expect((await revoke()).status).toBe(200);
      expect(new Set(await codesOfCoachCalls(learner))).toEqual(new Set(['access.taken']));
      expect((await learner.pull()).filter(({ table }) => table === 'practice_history')).toEqual(before);
    });

    it('records the admin, the time and the reason', async () => {
      await revoke(learner.userId, 'sells seats');
      const { body } = await asAdmin('audit', { userId: learner.userId, page: 0 });
      expect(body).toMatchObject({
        total: 3,
        rows: [
          { act: 'access_revoked', actorId: admin.userId, reason: 'sells seats', at: server.now().toISOString() },
          { act: 'access_granted', actorId: admin.userId, reason: 'a pilot' },
          { act: 'signed_in' },
        ],
      });
    });

    it('needs a reason', async () => {
      for (const reason of ['', '   ', null])
        expect(await revoke(learner.userId, reason)).toMatchObject({ status: 400 });
      expect(await view()).toMatchObject({ hasAccess: true });
    });

    it('survives a new sign-in, and the learner may ask again', async () => {
      await revoke();
      const again = await signInDevice(server, mailbox, { email, as: learner });
      const accessTaken = { at: server.now().toISOString(), reason: 'a breach' };
      expect(await view(again)).toMatchObject({ hasAccess: false, waitingSince: null, accessTaken });
      server.advanceClock(1_000);
      const waitingSince = server.now().toISOString();
      expect((await request(again)).body).toMatchObject({ waitingSince, accessTaken: null });
      server.advanceClock(1_000);
      await grant();
      expect(await view(again)).toMatchObject({ hasAccess: true, waitingSince: null, accessTaken: null });
    });
  });

  describe('a server with open access', () => {
    it('admits every device, even without an address', async () => {
      const device = await registerDevice(openServer);
      expect(await codesOfCoachCalls(device, openServer)).not.toContain('access.required');
      expect(await codesOfCoachCalls(learner, openServer)).not.toContain('access.required');
    });

    it('still refuses a learner whose access was revoked', async () => {
      await grant();
      await revoke();
      expect(new Set(await codesOfCoachCalls(learner, openServer))).toEqual(new Set(['access.taken']));
    });
  });
}
