import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { anEmail, createMailbox, type Mailbox } from '../../../test-kit/mailbox.ts';
import { startServer, type TestServer } from '../../../test-kit/server.ts';

const OWN = { 'sec-fetch-site': 'same-origin' };

/** Signing a browser in with a code, as the admin panel does. */
export function webSignInSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  const admin = anEmail();
  beforeAll(async () => {
    mailbox = createMailbox();
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue, account: { adminEmails: [admin] } });
  });
  afterAll(() => server.close());

  const call = async (path: string, payload: object, headers: Record<string, string> = OWN) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/v1/web/${path}`,
      headers: { host: 'parley.example', ...headers },
      payload,
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), cookies, cookie };
  };
  const request = async (email: string) => String((await call('request-sign-in', { email })).body['requestId']);
  const signIn = async (email: string) => {
    const requestId = await request(email);
    return call('sign-in', { email, requestId, code: mailbox.code(email) });
  };
  const overview = (cookie: string, headers: Record<string, string> = OWN) =>
    server.send({ method: 'POST', url: '/v1/admin/overview', headers: { ...headers, cookie }, payload: {} });

  describe('a browser', () => {
    it('signs an admin in with the code, and out', async () => {
      const { status, body, cookies, cookie } = await signIn(admin);
      expect([status, body]).toEqual([200, { isAdmin: true }]);
      for (const each of cookies) expect(each).toMatch(/HttpOnly; SameSite=Lax/);
      expect(await overview(cookie)).toMatchObject({ status: 200, body: { me: { email: admin } } });
      expect((await overview(cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await call('sign-out', {}, { ...OWN, cookie })).status).toBe(200);
      expect((await overview(cookie)).status).toBe(401);
    });

    it('signs in a learner who is not an admin', async () => {
      const { body, cookie } = await signIn(anEmail());
      expect(body).toEqual({ isAdmin: false });
      expect(await overview(cookie)).toMatchObject({ status: 403, body: { code: 'auth.forbidden' } });
    });

    it('is refused a wrong code, a code of another request and a used code', async () => {
      const email = anEmail();
      const requestId = await request(email);
      const code = mailbox.code(email);
      const wrong = code === '000000' ? '000001' : '000000';
      const refused = { status: 401, body: { code: 'sign_in.code_wrong' }, cookies: [] };
      expect(await call('sign-in', { email, requestId, code: wrong })).toMatchObject(refused);
      expect(await call('sign-in', { email, requestId: 'A'.repeat(43), code })).toMatchObject(refused);
      expect((await call('sign-in', { email, requestId, code })).status).toBe(200);
      expect(await call('sign-in', { email, requestId, code })).toMatchObject(refused);
    });

    it.each([
      ['request-sign-in', { email: 'ada@example.com' }],
      ['sign-in', { email: 'ada@example.com', code: '123456', requestId: 'A'.repeat(43) }],
      ['sign-out', {}],
    ])("cannot be made to %s by another site's page", async (path, body) => {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
        expect(await call(path, body, headers)).toMatchObject({ status: 403, cookies: [] });
    });

    it('leaves its former session when it signs in again', async () => {
      const first = await signIn(admin);
      const requestId = await request(admin);
      const again = await call(
        'sign-in',
        { email: admin, requestId, code: mailbox.code(admin) },
        { ...OWN, cookie: first.cookie },
      );
      expect(again.status).toBe(200);
      expect((await overview(first.cookie)).status).toBe(401);
      expect((await overview(again.cookie)).status).toBe(200);
    });
  });
}
