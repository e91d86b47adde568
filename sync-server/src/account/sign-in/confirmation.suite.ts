import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { accountDeletions, tables } from '../../db/tables.ts';
import { openBrowser, type Page } from '../../../test-kit/browser.ts';
import { anEmail, signInDevice } from '../../../test-kit/mailbox.ts';
import { joinDevice, registerDevice, startServer, type TestDevice } from '../../../test-kit/server.ts';
import { setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ORIGIN = 'https://parley.example';
const REQUIRED = { status: 403, body: { code: 'auth.confirmation_required' } };

export function confirmationSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);
  let device: TestDevice;
  beforeEach(async () => {
    web.server.advanceClock(16 * MINUTE_MS);
    device = await signInDevice(web.server, web.mailbox, { email: web.email });
  });

  const post = (path: string, body: object = {}, as = device) => web.server.post(`/v1/${path}`, body, as.token);
  const download = (as = device) =>
    web.server.app.inject({ url: '/v1/account/export', headers: { authorization: `Bearer ${as.token}` } });
  const isLeaving = async (): Promise<boolean> =>
    (await web.server.database.db.$count(accountDeletions, eq(accountDeletions.userId, device.userId))) > 0;
  const makeAdmin = (userId = device.userId) =>
    web.server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.userId, userId));
  const aWrongCode = () => (web.mailbox.code(web.email) === '000000' ? '111111' : '000000');

  describe('a device', () => {
    it('can export and delete for ten minutes after its code', async () => {
      web.server.advanceClock(10 * MINUTE_MS - 1);
      expect((await download()).statusCode).toBe(200);
      web.server.advanceClock(1);
      expect((await download()).json()).toMatchObject(REQUIRED.body);
      expect(await post('account/request-deletion')).toMatchObject(REQUIRED);
      expect(await isLeaving()).toBe(false);

      web.server.advanceClock(6 * MINUTE_MS);
      expect((await post('account/request-confirmation')).status).toBe(200);
      expect(await post('account/confirm', { code: aWrongCode() })).toMatchObject({
        status: 401,
        body: { code: 'sign_in.code_wrong' },
      });
      expect(await post('account/request-deletion')).toMatchObject(REQUIRED);
      const code = web.mailbox.code(web.email);
      expect((await post('account/confirm', { code })).status).toBe(200);
      expect((await post('account/confirm', { code })).status).toBe(401);
      expect((await download()).statusCode).toBe(200);
      expect((await post('account/request-deletion')).status).toBe(200);
      expect(await isLeaving()).toBe(true);
    });

    it('is sent a code that is not called a sign-in code', async () => {
      expect(web.mailbox.to(web.email).at(-1)).toMatchObject({ kind: 'sign_in', data: { isConfirmation: false } });
      web.server.advanceClock(16 * MINUTE_MS);
      expect((await post('account/request-confirmation')).status).toBe(200);
      expect(web.mailbox.to(web.email).at(-1)).toMatchObject({ kind: 'sign_in', data: { isConfirmation: true } });
    });

    it("is not confirmed by another device or another account's code", async () => {
      const joined = await joinDevice(web.server, device);
      expect(await post('account/request-deletion', {}, joined)).toMatchObject(REQUIRED);
      const other = anEmail();
      await web.server.post('/v1/account/request-sign-in', { email: other });
      expect((await post('account/confirm', { code: web.mailbox.code(other) }, joined)).status).toBe(401);
      expect(await post('account/request-deletion', {}, joined)).toMatchObject(REQUIRED);
    });

    it('of an account without an address needs no confirmation', async () => {
      const anonymous = await registerDevice(web.server);
      expect((await download(anonymous)).statusCode).toBe(200);
      expect((await post('account/request-confirmation', {}, anonymous)).body).toMatchObject({
        code: 'account.no_email',
      });
    });

    it('of an admin needs a new code to change admins, and for everything after 12 h', async () => {
      await makeAdmin();
      const subject = await registerDevice(web.server);
      const change = { userId: subject.userId, isAdmin: true, reason: 'a colleague' };
      web.server.advanceClock(10 * MINUTE_MS);
      expect((await post('admin/users', { page: 0 })).status).toBe(200);
      expect(await post('admin/set-admin', change)).toMatchObject(REQUIRED);
      web.server.advanceClock(12 * HOUR_MS);
      expect(await post('admin/users', { page: 0 })).toMatchObject(REQUIRED);
      await post('account/request-confirmation');
      await post('account/confirm', { code: web.mailbox.code(web.email) });
      expect((await post('admin/users', { page: 0 })).status).toBe(200);
      expect((await post('admin/set-admin', change)).status).toBe(200);
    });

    it('gets five tries for its code', async () => {
      web.server.advanceClock(16 * MINUTE_MS);
      await post('account/request-confirmation');
      const code = web.mailbox.code(web.email);
      for (let n = 0; n < 5; n += 1) await post('account/confirm', { code: aWrongCode() });
      expect((await post('account/confirm', { code })).status).toBe(401);
    });
  });

  describe('a browser', () => {
    const enterCode = async (page: Page, code: string): Promise<Page> =>
      web.browser.submit(page, '/account/confirm', { fields: { code } });

    beforeEach(async () => {
      await web.signIn();
      web.server.advanceClock(16 * MINUTE_MS);
    });

    it('is told that another code was sent', async () => {
      const asked = await web.browser.submit(await web.browser.get('/account'), '/account/request-deletion');
      const first = await web.browser.submit(asked, '/account/request-confirmation');
      expect(first.text).not.toContain('We’re sending a new e-mail');
      const second = await web.browser.submit(first, '/account/request-confirmation');
      expect(second.text).toContain('We’re sending a new e-mail');
    });

    it('is told where a server that sends no e-mail has written the code', async () => {
      const server = await startServer(web.server.database, {
        account: { access: 'granted', origin: ORIGIN, hasSecureCookies: true },
        mail: {
          origin: ORIGIN,
          secret: 'secret',
          transport: { name: 'test', writesToFolder: true, send: async () => ({ outcome: 'accepted' }) },
        },
      });
      server.advanceClock(web.server.now().getTime() - server.now().getTime());
      const browser = openBrowser(server);
      await web.signIn(browser);
      server.advanceClock(16 * MINUTE_MS);
      const asked = await browser.submit(await browser.get('/account'), '/account/request-deletion');
      const first = await browser.submit(asked, '/account/request-confirmation');
      expect(first.text).toContain('The message with your code is a file on the server');
      const second = await browser.submit(first, '/account/request-confirmation');
      expect(second.text).toContain('The code in the newest message');
      expect(first.text + second.text).not.toContain('We’re sending');
      await server.app.close();
    });

    it('is asked for a code before the account is deleted', async () => {
      const asked = await web.browser.submit(await web.browser.get('/account'), '/account/request-deletion');
      expect(asked.text).toContain('enter a code that we’ll send to your e-mail address');
      expect(await isLeaving()).toBe(false);
      const page = await web.browser.submit(asked, '/account/request-confirmation');
      const again = await enterCode(page, aWrongCode());
      expect([again.status, await isLeaving()]).toEqual([401, false]);
      expect(again.text).toContain('This code is wrong');
      expect(await enterCode(again, web.mailbox.code(web.email))).toMatchObject({ status: 303, location: '/account' });
      expect(await isLeaving()).toBe(true);
    });

    it.each(['json', 'zip'] as const)('is asked for a code before %s is downloaded', async (type) => {
      const sent = web.mailbox.to(web.email).length;
      const asked = await web.browser.get(`/account/export.${type}`);
      expect([asked.status, asked.text.includes(web.email)]).toEqual([403, false]);
      // Another site may link here, so opening the page must not send an e-mail.
      expect(web.mailbox.to(web.email)).toHaveLength(sent);
      const page = await web.browser.submit(asked, '/account/request-confirmation');
      const done = await enterCode(page, ` ${web.mailbox.code(web.email)} `);
      expect(done).toMatchObject({ status: 303, location: `/account/export.${type}` });
      expect((await web.browser.get(`/account/export.${type}`)).status).toBe(200);
    });

    it('accepts the confirmation forms only from our own pages', async () => {
      const asked = await web.browser.get('/account/export.json');
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await web.browser.submit(asked, '/account/request-confirmation', { headers })).status).toBe(403);
      const fields = { step: 'everything' };
      expect((await web.browser.submit(asked, '/account/request-confirmation', { fields })).status).toBe(400);
      expect((await openBrowser(web.server).submit(asked, '/account/request-confirmation')).location).toBe('/sign-in');
    });

    it("of an admin is signed out after twelve hours, unlike a learner's", async () => {
      for (let hour = 1; hour < 12; hour += 1) {
        web.server.advanceClock(HOUR_MS - 2 * MINUTE_MS);
        expect((await web.browser.get('/account')).status).toBe(200);
      }
      web.server.advanceClock(2 * HOUR_MS);
      expect((await web.browser.get('/account')).status).toBe(200);
      await makeAdmin();
      expect((await web.browser.get('/account')).location).toBe('/sign-in');
      await web.signIn();
      web.server.advanceClock(12 * HOUR_MS - 1);
      expect((await web.browser.get('/account')).status).toBe(200);
      web.server.advanceClock(1);
      expect((await web.browser.get('/account')).location).toBe('/sign-in');
    });
  });
}
