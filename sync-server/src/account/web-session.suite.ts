import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { tables, webSessions } from '../db/tables.ts';
import { openBrowser } from '../test-kit/browser.ts';
import { anAddress } from '../test-kit/mailbox.ts';
import { SESSION, setUpWebScene } from './test-kit/web-scene.ts';

const DAY_MS = 24 * 3_600_000;

/** What proves who sits at a browser, and that it is our page that asks. */
export function webSessionSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebScene(open);

  const userId = async (): Promise<string> => {
    const [user] = await web.server.database.db.select().from(tables.users).where(eq(tables.users.email, web.email));
    return user?.userId ?? '';
  };

  describe('a session', () => {
    it('is a cookie that no script, no other site and no plain line ever gets, kept hashed', async () => {
      const answer = await web.signIn();
      expect(answer).toMatchObject({ status: 303, location: '/account' });
      const cookie = answer.cookies.find((set) => set.startsWith(`${SESSION}=`));
      expect(cookie).toMatch(
        /^__Host-parley=[0-9a-f-]{36}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      const kept = await web.server.database.db
        .select()
        .from(webSessions)
        .where(eq(webSessions.userId, await userId()));
      expect(JSON.stringify(kept)).not.toContain(String(web.browser.jar.get(SESSION)).split('.')[1]);
    });

    it('on a development server has a name that works without TLS', async () => {
      const near = openBrowser(web.plain);
      await web.plain.post('/v1/account/request-sign-in', { email: web.email });
      const answer = await near.submit(await near.get(`/sign-in?link=${web.mailbox.link(web.email)}`), '/sign-in');
      expect(answer.cookies.find((set) => set.startsWith('parley-web='))).toMatch(/HttpOnly; SameSite=Lax$/);
      expect((await near.get('/account')).text).toContain(web.email);
    });

    it('slides on for thirty days from when it was last used, and then is over', async () => {
      await web.signIn();
      for (let use = 0; use < 3; use += 1) {
        web.server.pass(29 * DAY_MS);
        const page = await web.browser.get('/account');
        expect(page.status).toBe(200);
        expect(page.cookies.join()).toContain(`${SESSION}=`);
        expect((await web.browser.get('/account')).cookies).toEqual([]);
      }
      web.server.pass(30 * DAY_MS);
      expect(await web.browser.get('/account')).toMatchObject({ status: 303, location: '/sign-in' });
    });

    it('is never one that the browser brought: each sign-in makes its own, and ends the one before', async () => {
      // Somebody has put their own session into the browser of somebody else.
      const attacker = openBrowser(web.server);
      const theirs = web.email;
      await web.signIn(attacker);
      web.email = anAddress();
      const planted = String(attacker.jar.get(SESSION));
      web.browser.jar.set(SESSION, planted);
      await web.signIn();
      expect(web.browser.jar.get(SESSION)).not.toBe(planted);
      expect((await web.browser.get('/account')).text).toContain(web.email);
      expect((await web.browser.get('/account')).text).not.toContain(theirs);
      expect((await attacker.get('/account')).location).toBe('/sign-in');
    });

    it('that was made up is none', async () => {
      await web.signIn();
      const right = String(web.browser.jar.get(SESSION));
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
        web.browser.jar.set(SESSION, wrong);
        expect(await web.browser.get('/account'), wrong).toMatchObject({ status: 303, location: '/sign-in' });
      }
      web.browser.jar.set(SESSION, right);
      expect((await web.browser.get('/account')).status).toBe(200);
    });
  });

  describe('forms', () => {
    const refused: [what: string, headers: Record<string, string>, fields: Record<string, string>][] = [
      ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, {}],
      ['of a neighbouring site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.parley.example' }, {}],
      ['that nobody’s page has', { 'sec-fetch-site': 'none' }, {}],
      ['with no token', {}, { token: '' }],
      ['with a token that was made up', {}, { token: 'a'.repeat(64) }],
    ];
    it.each(refused)('%s are refused, and nothing is spent or changed', async (_what, headers, fields) => {
      const page = await web.linkPage();
      expect((await web.browser.submit(page, '/sign-in', { headers, fields })).status).toBe(403);
      expect(web.browser.jar.has(SESSION)).toBe(false);
      await web.browser.submit(page, '/sign-in');
      const account = await web.browser.get('/account');
      for (const act of ['request-access', 'request-deletion', 'sign-out', 'sign-out-everywhere'])
        expect((await web.browser.submit(account, `/account/${act}`, { headers, fields })).status, act).toBe(403);
      expect((await web.browser.get('/account')).text).toBe(account.text);
    });

    it('of a browser that says nothing of sites are taken from our own pages alone', async () => {
      const page = await web.linkPage();
      const fields = { token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '' };
      const link = /name="link" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const post = async (headers: Record<string, string>) => {
        const answer = await web.server.app.inject({
          method: 'POST',
          url: '/sign-in',
          headers: {
            host: 'parley.example',
            'content-type': 'application/x-www-form-urlencoded',
            cookie: [...web.browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
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

    it('of one browser are worth nothing in another', async () => {
      const page = await web.linkPage();
      const other = openBrowser(web.server);
      await other.get('/sign-in');
      expect((await other.submit(page, '/sign-in')).status).toBe(403);
      await web.browser.submit(page, '/sign-in');
      const account = await web.browser.get('/account');
      web.email = anAddress();
      await web.signIn(other);
      expect((await other.submit(account, '/account/request-deletion')).status).toBe(403);
      expect((await openBrowser(web.server).submit(account, '/account/request-deletion')).location).toBe('/sign-in');
    });
  });
}
