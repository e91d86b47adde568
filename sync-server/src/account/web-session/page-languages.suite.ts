import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { devices, tables } from '../../db/tables.ts';
import { readLearnerLanguage } from '../language/learner-language.ts';
import { openBrowser } from '../../../test-kit/browser.ts';
import { signInDevice } from '../../../test-kit/mailbox.ts';
import { setUpWebFixture } from '../../../test-kit/account/web-fixture.ts';

export function pageLanguagesSuite(open: () => Promise<DatabaseConnection>): void {
  const web = setUpWebFixture(open);
  const german = { 'accept-language': 'de-CH, en;q=0.5' };
  const userId = async (): Promise<string> => {
    const [user] = await web.server.database.db
      .select({ userId: tables.users.userId })
      .from(tables.users)
      .where(eq(tables.users.email, web.email));
    return user?.userId ?? '';
  };

  describe('the sign-in page', () => {
    it('speaks the language of the browser, and English without one', async () => {
      const page = await web.browser.get('/sign-in', { headers: german });
      expect(page.text).toContain('<html lang="de" dir="ltr">');
      expect(page.text).toContain('<h1>Bei Parley anmelden</h1>');
      expect((await web.browser.get('/sign-in')).text).toContain('<h1>Sign in to Parley</h1>');
    });

    it('remembers a language that the address names, over redirects', async () => {
      expect((await web.browser.get('/account?lang=ar')).location).toBe('/sign-in');
      const page = await web.browser.get('/sign-in', { headers: german });
      expect(page.text).toContain('<html lang="ar" dir="rtl">');
      const sent = await web.browser.submit(page, '/sign-in/request', { fields: { email: web.email } });
      expect(sent.text).toContain('<html lang="ar" dir="rtl">');
      expect(web.mailbox.to(web.email).at(-1)).toMatchObject({ kind: 'sign_in', language: 'ar' });
    });

    it('explains a failure in that language', async () => {
      const page = await web.browser.get('/sign-in', { headers: german });
      const failed = await web.browser.submit(page, '/sign-in/request', { fields: { email: 'x' }, headers: german });
      expect(failed.status).toBe(400);
      expect(failed.text).toContain('Das hat nicht geklappt');
    });
  });

  describe('the account', () => {
    it('keeps the language of the browser for its e-mails', async () => {
      const page = await web.openLinkPage();
      await web.browser.submit(page, '/sign-in', { headers: { 'accept-language': 'ja' } });
      expect(await readLearnerLanguage(web.server.database.db, await userId())).toBe('ja');
    });

    it('shows its pages in the language of the app, whatever the browser wants', async () => {
      const { token } = await signInDevice(web.server, web.mailbox, { email: web.email });
      const { statusCode } = await web.server.app.inject({
        method: 'GET',
        url: '/v1/account?timeZone=Europe/Berlin',
        headers: { host: 'parley.example', authorization: `Bearer ${token}`, 'accept-language': 'es' },
      });
      expect(statusCode).toBe(200);
      await web.signIn();
      expect((await web.browser.get('/account', { headers: german })).text).toContain('<html lang="es" dir="ltr">');
      expect((await web.browser.get('/account?lang=ja', { headers: german })).text).toContain(
        '<html lang="ja" dir="ltr">',
      );
    });

    it('names days in the time zone of the last device', async () => {
      const { db } = web.server.database;
      const dayIn = (timeZone: string): string =>
        new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(web.server.now());
      // At every hour, one of these is on a different day from UTC.
      const timeZone = ['Pacific/Kiritimati', 'Etc/GMT+12'].find((zone) => dayIn(zone) !== dayIn('UTC')) ?? '';
      await signInDevice(web.server, web.mailbox, { email: web.email });
      await db
        .update(devices)
        .set({ timeZone })
        .where(eq(devices.userId, await userId()));
      await web.signIn();
      await web.browser.submit(await web.browser.get('/account'), '/account/request-access');
      expect((await web.browser.get('/account')).text).toContain(`You asked for access on ${dayIn(timeZone)}.`);
    });

    it('asks for a message in the language of the app', async () => {
      const { statusCode } = await web.server.app.inject({
        method: 'POST',
        url: '/v1/account/request-sign-in',
        headers: { host: 'parley.example', 'accept-language': 'pt-BR' },
        payload: { email: web.email },
      });
      expect(statusCode).toBe(200);
      expect(web.mailbox.to(web.email).at(-1)).toMatchObject({ kind: 'sign_in', language: 'pt-BR' });
    });
  });

  it('shows English to a browser of no known language, on a page of its own each time', async () => {
    const page = await openBrowser(web.server).get('/sign-in?lang=tlh', { headers: { 'accept-language': 'xx' } });
    expect(page.text).toContain('<html lang="en" dir="ltr">');
    expect(page.headers['cache-control']).toBe('no-store');
  });
}
