import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { tables, webSessions } from '../../db/tables.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { anEmail } from '../../../test-kit/mailbox.ts';
import { SESSION_COOKIE, setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';

const DAY_MS = 24 * 3_600_000;

/** The session cookie and the protection of forms against other sites. */
export function webSessionSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);

  const userId = async (): Promise<string> => {
    const [user] = await web.server.database.db.select().from(tables.users).where(eq(tables.users.email, web.email));
    return user?.userId ?? '';
  };

  describe('a session', () => {
    it('is a hardened cookie that is stored as a hash', async () => {
      const answer = await web.signIn();
      expect(answer).toMatchObject({ status: 303, location: '/account' });
      const cookie = answer.cookies.find((set) => set.startsWith(`${SESSION_COOKIE}=`));
      const [value, ...attributes] = String(cookie).split('; ');
      expect(value).toMatch(/^__Host-parley=[0-9a-f-]{36}\.[\w-]{43}$/);
      expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
      const kept = await web.server.database.db
        .select()
        .from(webSessions)
        .where(eq(webSessions.userId, await userId()));
      expect(JSON.stringify(kept)).not.toContain(String(web.browser.cookieJar.get(SESSION_COOKIE)).split('.')[1]);
    });

    it('uses a cookie name that works without TLS in development', async () => {
      const near = openBrowser(web.plainServer);
      await web.plainServer.post('/v1/account/request-sign-in', { email: web.email });
      const answer = await near.submit(await near.get(`/sign-in?link=${web.mailbox.link(web.email)}`), '/sign-in');
      expect(answer.cookies.find((set) => set.startsWith('parley-web='))).toMatch(/HttpOnly; SameSite=Lax$/);
      expect((await near.get('/account')).text).toContain(web.email);
    });

    it('slides by thirty days with each use and then expires', async () => {
      await web.signIn();
      for (let use = 0; use < 3; use += 1) {
        web.server.advanceClock(29 * DAY_MS);
        const page = await web.browser.get('/account');
        expect(page.status).toBe(200);
        expect(page.cookies.join()).toContain(`${SESSION_COOKIE}=`);
        expect((await web.browser.get('/account')).cookies).toEqual([]);
      }
      web.server.advanceClock(30 * DAY_MS);
      expect(await web.browser.get('/account')).toMatchObject({ status: 303, location: '/sign-in' });
    });

    it('is new at each sign-in, so a planted one is never kept', async () => {
      // The attacker has planted their own session in the victim's browser.
      const attacker = openBrowser(web.server);
      const theirs = web.email;
      await web.signIn(attacker);
      web.email = anEmail();
      const planted = String(attacker.cookieJar.get(SESSION_COOKIE));
      web.browser.cookieJar.set(SESSION_COOKIE, planted);
      await web.signIn();
      expect(web.browser.cookieJar.get(SESSION_COOKIE)).not.toBe(planted);
      expect((await web.browser.get('/account')).text).toContain(web.email);
      expect((await web.browser.get('/account')).text).not.toContain(theirs);
      expect((await attacker.get('/account')).location).toBe('/sign-in');
    });

    it('that was forged is refused', async () => {
      await web.signIn();
      const right = String(web.browser.cookieJar.get(SESSION_COOKIE));
      const [id, secret] = right.split('.');
      for (const wrong of [
        `${id}.${'A'.repeat(43)}`,
        right.slice(0, 36),
        `${id}.`,
        `.${secret}`,
        `x.${secret}`,
        "' or 1=1 --",
        '',
      ]) {
        web.browser.cookieJar.set(SESSION_COOKIE, wrong);
        expect(await web.browser.get('/account'), wrong).toMatchObject({ status: 303, location: '/sign-in' });
      }
      web.browser.cookieJar.set(SESSION_COOKIE, right);
      expect((await web.browser.get('/account')).status).toBe(200);
    });
  });

  describe('forms', () => {
    const refused: [what: string, headers: Record<string, string>, fields: Record<string, string>][] = [
      ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, {}],
      ['of a neighbouring site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.parley.example' }, {}],
      ['that no page sent', { 'sec-fetch-site': 'none' }, {}],
      ['with no token', {}, { token: '' }],
      ['with a forged token', {}, { token: 'a'.repeat(64) }],
    ];
    it.each(refused)('%s are refused without side effects', async (_what, headers, fields) => {
      const page = await web.openLinkPage();
      expect((await web.browser.submit(page, '/sign-in', { headers, fields })).status).toBe(403);
      expect(web.browser.cookieJar.has(SESSION_COOKIE)).toBe(false);
      await web.browser.submit(page, '/sign-in');
      const account = await web.browser.get('/account');
      for (const act of ['request-access', 'request-deletion', 'sign-out', 'sign-out-everywhere'])
        expect((await web.browser.submit(account, `/account/${act}`, { headers, fields })).status, act).toBe(403);
      expect((await web.browser.get('/account')).text).toBe(account.text);
    });

    it('without fetch metadata are accepted only from our own origin', async () => {
      const page = await web.openLinkPage();
      const fields = { token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '' };
      const link = /name="link" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const post = async (headers: Record<string, string>) => {
        const answer = await web.server.app.inject({
          method: 'POST',
          url: '/sign-in',
          headers: {
            host: 'parley.example',
            'content-type': 'application/x-www-form-urlencoded',
            cookie: [...web.browser.cookieJar].map(([name, value]) => `${name}=${value}`).join('; '),
            ...headers,
          },
          payload: new URLSearchParams({ ...fields, link }).toString(),
        });
        return answer.statusCode;
      };
      expect(await post({})).toBe(403);
      expect(await post({ origin: 'null' })).toBe(403);
      expect(await post({ origin: 'https://evil.example' })).toBe(403);
      expect(await post({ origin: 'https://parley.example' })).toBe(303);
    });

    it('of one browser do not work in another', async () => {
      const page = await web.openLinkPage();
      const other = openBrowser(web.server);
      await other.get('/sign-in');
      expect((await other.submit(page, '/sign-in')).status).toBe(403);
      await web.browser.submit(page, '/sign-in');
      const account = await web.browser.get('/account');
      web.email = anEmail();
      await web.signIn(other);
      expect((await other.submit(account, '/account/request-deletion')).status).toBe(403);
      expect((await openBrowser(web.server).submit(account, '/account/request-deletion')).location).toBe('/sign-in');
    });
  });
}
