import { serverContract } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { openBrowser } from '../test-kit/browser.ts';
import { anAddress, type Mailbox, openMailbox, signInDevice } from '../test-kit/mailbox.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../test-kit/server.ts';

const MINUTE_MS = 60_000;
const ADMINS = anAddress();

/** Whoever wants to be more than a learner. */
export function adminAttacksSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let mailbox: Mailbox;
  let email: string;
  beforeAll(async () => {
    mailbox = openMailbox();
    const account = { adminEmails: [ADMINS], hasSecureCookies: true };
    server = await startServer(await open(), { enqueueMail: mailbox.enqueue, logLevel: 'trace', account });
  });
  beforeEach(() => {
    email = anAddress();
    // Another day, on which the admin may be written to again.
    server.pass(25 * 60 * MINUTE_MS);
  });
  afterAll(() => server.close());

  const request = (to = email) => server.post('/v1/account/request-sign-in', { email: to });
  describe('being an admin', () => {
    const inputs: Record<keyof typeof serverContract.admin, (learner: TestDevice) => object> = {
      users: () => ({ page: 0 }),
      audit: () => ({ page: 0 }),
      grantAccess: ({ userId }) => ({ userId, reason: 'me' }),
      revokeAccess: ({ userId }) => ({ userId, reason: 'me' }),
      setAdmin: ({ userId }) => ({ userId, isAdmin: true, reason: 'me' }),
    };
    const procedures = Object.entries(serverContract.admin).map(([name, procedure]) => {
      const { path } = procedure['~orpc'].route;
      return [name as keyof typeof inputs, String(path)] as const;
    });
    const signInBrowser = async (address: string) => {
      const browser = openBrowser(server);
      await request(address);
      await browser.submit(await browser.get(`/sign-in?link=${mailbox.link(address)}`), '/sign-in');
      return browser;
    };

    it.each(procedures)('%s is refused to a learner, a device without an address, and nobody', async (name, path) => {
      const learner = await signInDevice(server, mailbox, { email });
      const anonymous = await registerDevice(server);
      const browser = await signInBrowser(email);
      const before = await server.database.db.select().from(tables.users).where(eq(tables.users.email, email));
      const body = inputs[name](learner);
      const cookie = [...browser.jar].map(([key, value]) => `${key}=${value}`).join('; ');
      const asked = (headers: Record<string, string>) =>
        server.send({ method: 'POST', url: path, headers, payload: body });
      const own = { 'sec-fetch-site': 'same-origin' };
      const forbidden = { status: 403, body: { code: 'auth.forbidden' } };
      expect(await asked({ authorization: `Bearer ${learner.token}` })).toMatchObject(forbidden);
      expect(await asked({ authorization: `Bearer ${anonymous.token}` })).toMatchObject(forbidden);
      expect(await asked({ cookie, ...own })).toMatchObject(forbidden);
      for (const headers of [{}, own, { authorization: 'Bearer x' }, { cookie: '__Host-parley=x.y', ...own }])
        expect(await asked(headers)).toMatchObject({ status: 401, body: { code: 'auth.required' } });
      expect(await server.database.db.select().from(tables.users).where(eq(tables.users.email, email))).toEqual(before);
    });

    it.each(procedures)(
      '%s is answered to an admin: to their device, and to our own page in their browser',
      async (name, path) => {
        const admin = await signInDevice(server, mailbox, { email: ADMINS });
        server.pass(16 * MINUTE_MS);
        const browser = await signInBrowser(ADMINS);
        const subject = await signInDevice(server, mailbox, { email });
        const cookie = [...browser.jar].map(([key, value]) => `${key}=${value}`).join('; ');
        const asked = async (headers: Record<string, string>) =>
          (await server.send({ method: 'POST', url: path, headers, payload: inputs[name](subject) })).status;
        expect(await asked({ authorization: `Bearer ${admin.token}` })).toBe(200);
        expect(await asked({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200);
        for (const elsewhere of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}])
          expect(await asked({ cookie, ...elsewhere })).toBe(403);
        expect(await asked({ cookie, origin: 'https://evil.example', host: 'parley.example' })).toBe(403);
      },
    );

    it('ends with the next call when it is taken away, also in a browser', async () => {
      const admin = await signInDevice(server, mailbox, { email: ADMINS });
      const other = await signInDevice(server, mailbox, { email });
      const set = (isAdmin: boolean) =>
        server.post('/v1/admin/set-admin', { userId: other.userId, isAdmin, reason: 'x' }, admin.token);
      await set(true);
      const browser = await signInBrowser(email);
      const cookie = [...browser.jar].map(([key, value]) => `${key}=${value}`).join('; ');
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const look = () => server.send({ method: 'POST', url: '/v1/admin/users', headers, payload: { page: 0 } });
      expect((await look()).status).toBe(200);
      await set(false);
      expect((await look()).status).toBe(403);
    });
  });
}
