import { createHash, randomUUID } from 'node:crypto';
import { ADMIN_PANEL_PATH } from '@parley/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { auditLog, tables } from '../../db/tables.ts';
import { openBrowser, type Page } from '../../../test-kit/browser.ts';
import { anEmail, signInDevice } from '../../../test-kit/mailbox.ts';
import { startServerWithResetLimits, type TestDevice } from '../../../test-kit/server.ts';
import { SESSION_COOKIE, setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';

export function accountPagesSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);

  describe('the page behind a link', () => {
    it('offers the app and the browser, and allows no script and no framing', async () => {
      const link = await web.requestLink();
      const page = await web.browser.get(`/sign-in?link=${link}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain(`<h1>Sign in as ${web.email}?</h1>`);
      expect(page.text).toContain(`href="parley://sign-in?link=${link}"`);
      expect(page.text).toContain('<a href="/downloads">Download Parley</a>');
      expect(page.text).toContain('<form method="post" action="/sign-in">');
      expect(page.text).not.toMatch(/<script|javascript:|\son\w+=|https?:/i);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const policy = String(page.headers['content-security-policy']);
      for (const part of ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      const style = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? '';
      expect(style.length).toBeGreaterThan(500);
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    });

    it('can be opened repeatedly without spending the link', async () => {
      const link = await web.requestLink();
      const url = `/sign-in?link=${link}`;
      for (const method of ['GET', 'HEAD', 'GET', 'HEAD'] as const)
        expect((await openBrowser(web.server).get(url, { method })).status).toBe(200);
      for (const headers of [{ purpose: 'prefetch' }, { 'sec-purpose': 'prefetch;prerender' }, { 'x-moz': 'prefetch' }])
        expect((await openBrowser(web.server).get(url, { headers })).status).toBe(200);
      expect((await web.browser.submit(await web.browser.get(url), '/sign-in')).location).toBe('/account');
    });

    it('leads only an admin on to the panel', async () => {
      await web.signIn();
      const panel = '<a href="/admin">Open the admin panel</a>';
      expect((await web.browser.get('/account')).text).not.toContain(panel);
      await web.server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.email, web.email));
      expect((await web.browser.get('/account')).text).toContain(panel);
      await web.server.database.db
        .update(tables.users)
        .set({ isAdmin: false })
        .where(eq(tables.users.email, web.email));
    });

    it('reports a used, expired or unknown link', async () => {
      const link = await web.requestLink();
      const page = await web.browser.get(`/sign-in?link=${link}`);
      await web.browser.submit(page, '/sign-in');
      const used = await web.browser.get(`/sign-in?link=${link}`);
      expect(used.status).toBe(410);
      // An invitation has no code.
      expect(used.text).toContain('A code in the same e-mail no longer works either.');
      expect((await web.browser.submit(page, '/sign-in')).status).toBe(410);
      expect((await web.browser.get(`/sign-in?link=${'A'.repeat(43)}`)).status).toBe(410);
      const later = await web.requestLink();
      web.server.advanceClock(15 * 60_000);
      expect((await web.browser.get(`/sign-in?link=${later}`)).status).toBe(410);
      const mangled = await web.browser.get(`/sign-in?link=${encodeURIComponent('"><script>alert(1)</script>')}`);
      expect(mangled.text).not.toContain('alert');
    });
  });

  describe('the page that requests a link', () => {
    it('sends the e-mail and answers the same for known and unknown addresses', async () => {
      await web.signIn();
      const known = await web.browser.submit(await web.browser.get('/sign-in'), '/sign-in/request', {
        fields: { email: web.email },
      });
      const other = anEmail();
      const unknown = await web.browser.submit(await web.browser.get('/sign-in'), '/sign-in/request', {
        fields: { email: other },
      });
      expect(known.status).toBe(200);
      expect(known.text).toBe(unknown.text);
      expect(web.mailbox.to(other)).toHaveLength(1);
      const wrong = await web.browser.submit(await web.browser.get('/sign-in'), '/sign-in/request', {
        fields: { email: 'nobody' },
      });
      expect(wrong.status).toBe(400);
    });
  });

  describe('the account page', () => {
    const press = async (act: string): Promise<Page> => {
      const done = await web.browser.submit(await web.browser.get('/account'), `/account/${act}`);
      expect(done.status).toBe(303);
      return web.browser.get('/account');
    };

    it('lets the learner request access and shows the waiting date', async () => {
      await web.signIn();
      expect((await web.browser.get('/account')).text).toContain('Ask for access');
      const waiting = await press('request-access');
      expect(waiting.text).toContain('What happens next');
      expect(waiting.text).toContain(
        new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(web.server.now()),
      );
      await web.server.database.db
        .update(tables.users)
        .set({ hasAccess: true })
        .where(eq(tables.users.email, web.email));
      const { text } = await web.browser.get('/account');
      expect(text).toContain('parley://open');
      expect(text).toContain('<a href="/downloads">Download Parley</a>');
    });

    it('shows why access was revoked', async () => {
      await web.signIn();
      const { db } = web.server.database;
      const [user] = await db.select().from(tables.users).where(eq(tables.users.email, web.email));
      await db.insert(auditLog).values({
        id: randomUUID(),
        at: web.server.now(),
        actorId: null,
        subjectId: user?.userId ?? '',
        act: 'access_revoked',
        reason: 'the <pilot> is over',
      });
      const { text } = await web.browser.get('/account');
      expect(text).toContain('You have no access');
      expect(text).toContain('The reason given: “the &lt;pilot&gt; is over”');
      expect((await press('request-access')).text).toContain('We’ve got your request');
    });

    it('links only to pages that exist', async () => {
      await web.signIn();
      await web.server.database.db.update(tables.users).set({ isAdmin: true }).where(eq(tables.users.email, web.email));
      const { text } = await web.browser.get('/account');
      const hrefs = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href ?? '');
      expect(hrefs.length).toBeGreaterThan(2);
      // The panel is built separately, and has its own tests.
      const pages = hrefs.filter((href) => href !== ADMIN_PANEL_PATH);
      expect(pages.length).toBe(hrefs.length - 1);
      // An account can run one export at a time, and the previous one may still be ending.
      const statusOf = async (href: string): Promise<number> => (await web.browser.get(href)).status;
      for (const href of [...pages, '/']) await expect.poll(() => statusOf(href), { message: href }).toBe(200);
    });

    it('can delete the account and withdraw the deletion', async () => {
      await web.signIn();
      expect((await press('request-deletion')).text).toMatch(/erased on \d+ \w+ \d{4}/);
      expect((await press('withdraw-deletion')).text).toContain('Delete my account');
    });

    it('can export the account as one file', async () => {
      await web.signIn();
      const { status, headers, text } = await web.browser.get('/account/export.json');
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-disposition': 'attachment; filename="parley-export.json"',
        'cache-control': 'no-store',
      });
      expect(JSON.parse(text)).toMatchObject({
        users: [{ email: web.email }],
        web_sessions: [{ userAgent: 'A browser' }],
      });
      expect((await openBrowser(web.server).get('/account/export.json')).location).toBe('/sign-in');
    });

    it('signs out this browser and no other', async () => {
      const other = openBrowser(web.server);
      await web.signIn(other);
      await web.signIn();
      const before = String(web.browser.cookieJar.get(SESSION_COOKIE));
      const done = await web.browser.submit(await web.browser.get('/account'), '/account/sign-out');
      expect(done).toMatchObject({ status: 303, location: '/sign-in' });
      expect(web.browser.cookieJar.has(SESSION_COOKIE)).toBe(false);
      web.browser.cookieJar.set(SESSION_COOKIE, before);
      expect((await web.browser.get('/account')).location).toBe('/sign-in');
      expect((await other.get('/account')).status).toBe(200);
    });

    it('signs out all browsers and devices', async () => {
      const device: TestDevice = await signInDevice(web.server, web.mailbox, { email: web.email });
      const other = openBrowser(web.server);
      await web.signIn(other);
      await web.signIn();
      await web.browser.submit(await web.browser.get('/account'), '/account/sign-out-everywhere');
      expect((await other.get('/account')).location).toBe('/sign-in');
      await expect(device.pull()).rejects.toThrow('auth.device_revoked');
    });

    it('escapes the address as text', async () => {
      web.email = `o'hara+${Math.round(performance.now())}@example.com`;
      await web.signIn();
      const { text } = await web.browser.get('/account');
      expect(text).toContain(web.email.replace("'", '&#39;'));
      expect(text).not.toContain(web.email);
    });
  });

  it('a rate-limited form shows a page, and opening links is not limited', async () => {
    const strict = await startServerWithResetLimits(web.server.database, {
      enqueueMail: web.mailbox.enqueue,
      strictRequestsPerMinute: 3,
    });
    const guessing = openBrowser(strict);
    const page = await guessing.get('/sign-in');
    const statuses = [];
    for (let time = 0; time < 5; time += 1)
      statuses.push((await guessing.submit(page, '/sign-in/request', { fields: { email: anEmail() } })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await guessing.get('/sign-in')).status).toBe(200);
    await strict.app.close();
  });
}
