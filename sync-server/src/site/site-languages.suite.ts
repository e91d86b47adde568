import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { LANGUAGES } from '../localization/index.ts';
import { startServer, type TestServer } from '../../test-kit/server.ts';

const ORIGIN = 'https://parley.example';

export function siteLanguagesSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await open(), { account: { access: 'granted', origin: ORIGIN } });
  });
  afterAll(() => server.close());
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
  const german = { 'accept-language': 'de-AT, en;q=0.7' };

  describe('a page of the site', () => {
    it('follows the browser, and declares it to caches', async () => {
      const plain = await get('/pricing', german);
      expect(plain.body).toContain('<html lang="de" dir="ltr">');
      expect(plain.body).toContain('Üben ist kostenlos.');
      expect(plain.headers['content-language']).toBe('de');
      expect(plain.headers['vary']).toContain('accept-language');
      expect((await get('/pricing')).headers['vary']).toContain('accept-language');
    });

    it.each(LANGUAGES)('has an address of its own in %s, whatever the browser wants', async (language) => {
      const { body, headers } = await get(`/pricing?lang=${language}`, { 'accept-language': 'ja' });
      expect(body).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(headers['vary'] ?? '').not.toContain('accept-language');
      const address = language === 'en' ? `${ORIGIN}/pricing` : `${ORIGIN}/pricing?lang=${language}`;
      expect(body).toContain(`<link rel="canonical" href="${address}"`);
      expect(body).toContain(`href="/downloads?lang=${language}"`);
    });

    it('has a tag of its own in each language', async () => {
      const etags = await Promise.all(
        LANGUAGES.map(async (language) => (await get(`/?lang=${language}`)).headers.etag),
      );
      expect(new Set(etags).size).toBe(LANGUAGES.length);
      const etag = String((await get('/', german)).headers.etag);
      expect((await get('/', { ...german, 'if-none-match': etag })).statusCode).toBe(304);
      expect((await get('/', { 'if-none-match': etag })).statusCode).toBe(200);
    });

    it('names its other languages, for people and for search engines', async () => {
      const { body } = await get('/downloads?lang=de');
      for (const language of LANGUAGES) expect(body).toContain(`hreflang="${language}"`);
      expect(body).toContain(`<link rel="alternate" hreflang="x-default" href="${ORIGIN}/downloads"`);
      expect(body).toContain('<a lang="ja" hreflang="ja" href="/downloads?lang=ja">日本語</a>');
    });

    it('keeps an unknown language out', async () => {
      const { statusCode, body } = await get('/pricing?lang=%22%3E%3Cscript%3E');
      expect(statusCode).toBe(200);
      expect(body).toContain('<html lang="en" dir="ltr">');
      expect(body).not.toContain('<script>');
    });

    it('explains an unknown address and asks for access in the language of the reader', async () => {
      expect((await get('/nowhere', german)).body).toContain('Hier gibt es nichts.');
      expect((await get('/request-access?lang=zh-Hans')).body).toContain('action="/request-access?lang=zh-Hans"');
    });
  });

  it('has every language of its pages in the sitemap', async () => {
    const { body } = await get('/sitemap.xml');
    expect(body).toContain(`<loc>${ORIGIN}/pricing?lang=zh-Hans</loc>`);
    expect(body).toContain(`<xhtml:link rel="alternate" hreflang="ar" href="${ORIGIN}/pricing?lang=ar"/>`);
    expect(body).toContain(`<loc>${ORIGIN}/privacy?lang=de</loc>`);
  });
}
