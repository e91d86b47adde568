import { MAX_SITE_TEXT_LENGTHS, type SiteText, type SiteTextChange } from '@parley/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpSchool } from '../../../test-kit/school/school-fixture.ts';
import type { DatabaseConnection } from '../../db/client.ts';
import { siteTexts } from '../../db/school-tables.ts';

type Place = Pick<SiteText, 'name' | 'language'>;

/** Texts of the public site that a school has written itself. */
export function siteTextsSuite(open: () => Promise<DatabaseConnection>): void {
  const scene = setUpSchool(open);
  beforeEach(async () => {
    await scene.server.database.db.delete(siteTexts);
  });

  const get = (url: string, headers: Record<string, string> = {}) =>
    scene.server.app.inject({ url, headers: { accept: 'text/html', ...headers } });
  const read = async (place: Place) => (await scene.ask('site-text', place)).body as unknown as SiteText;
  async function save(place: Place, text: string, publishes = true) {
    const { revision } = await read(place);
    const { status, body } = await scene.ask('save-site-text', { ...place, revision, text, publishes });
    expect({ status, ...body }).toMatchObject({ status: 'changed' });
  }
  const takeBack = async (place: Place, to: 'published' | 'built_in') =>
    scene.ask('take-back-site-text', { ...place, revision: (await read(place)).revision, to });
  const newestAudit = async (act: string) => {
    const { body } = await scene.ask('audit', { act, direction: 'desc' });
    return (body['rows'] as object[])[0];
  };

  describe('a privacy text of the school', () => {
    it('begins with Parley’s, and is not a page before it is published', async () => {
      const text = await read({ name: 'privacy', language: 'de' });
      expect(text).toMatchObject({ draft: null, published: null, revision: 0 });
      expect(text.builtIn).toContain('{contact}');
      await save({ name: 'privacy', language: 'de' }, 'Ein **Entwurf**.', false);
      expect((await get('/privacy?lang=de')).body).not.toContain('Entwurf');
      expect((await scene.ask('site-texts', {})).body).toEqual({
        texts: [{ name: 'privacy', language: 'de', isPublished: false, hasDraft: true }],
      });
    });

    it('is saved although it is cut in the middle of an emoji for the audit log', async () => {
      const text = `${'x'.repeat(199)}🎧 and more`;
      await save({ name: 'privacy', language: 'en' }, text);
      expect(await read({ name: 'privacy', language: 'en' })).toMatchObject({ published: text });
    });

    it('is shown from its publication on, and caches learn of it by its tag', async () => {
      const before = String((await get('/privacy')).headers.etag);
      await save({ name: 'privacy', language: 'en' }, '## Ours\n\nWrite to {contact}.');
      const after = await get('/privacy', { 'if-none-match': before });
      expect(after.statusCode).toBe(200);
      expect(after.body).toContain('<h2>Ours</h2>');
      expect(after.body).toContain('href="mailto:operator@parley.invalid"');
      expect((await get('/privacy', { 'if-none-match': String(after.headers.etag) })).statusCode).toBe(304);
    });

    it('runs no script and loads nothing from elsewhere', async () => {
      await save(
        { name: 'privacy', language: 'en' },
        '<script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)> ![a](https://elsewhere.example/a.png)',
      );
      expect((await get('/privacy')).body).not.toMatch(/<script(?! type="application)|javascript:|onerror|elsewhere/);
    });

    it('keeps the published text while a new draft is written, and can discard the draft', async () => {
      const place = { name: 'privacy', language: 'en' } as const;
      await save(place, 'First.');
      await save(place, 'Second.', false);
      expect((await get('/privacy')).body).toContain('First.');
      expect(await read(place)).toMatchObject({ draft: 'Second.', published: 'First.' });
      expect(await takeBack(place, 'published')).toMatchObject({
        body: { text: { draft: null, published: 'First.' } },
      });
    });

    it('can be given up for Parley’s', async () => {
      const place = { name: 'privacy', language: 'en' } as const;
      await save(place, 'Ours.');
      await takeBack(place, 'built_in');
      const { body } = await get('/privacy');
      expect(body).not.toContain('Ours.');
      expect(body).toContain('On your computer');
      expect((await scene.ask('site-texts', {})).body).toEqual({ texts: [] });
    });

    it('is shown with a note in languages without one, never mixed with Parley’s', async () => {
      await save({ name: 'privacy', language: 'de' }, 'Auf Deutsch.');
      const japanese = (await get('/privacy?lang=ja')).body;
      expect(japanese).toContain('<article lang="de" dir="auto"><p>Auf Deutsch.</p>');
      expect(japanese).toContain('Deutsch。');
      await save({ name: 'privacy', language: 'en' }, 'In English.');
      expect((await get('/privacy?lang=ja')).body).toContain('<article lang="en" dir="auto"><p>In English.</p>');
      const german = (await get('/privacy?lang=de')).body;
      expect(german).toContain('<article lang="de" dir="auto"><p>Auf Deutsch.</p>');
      expect(german).not.toContain('hreflang="ja" href="https://');
      expect((await get('/terms?lang=ja')).body).toContain('<article lang="ja"');
    });

    it('leaves the sitemap with one address while a language lacks it', async () => {
      expect((await get('/sitemap.xml')).body).toContain('<loc>https://parley.example/privacy?lang=de<');
      await save({ name: 'privacy', language: 'de' }, 'Auf Deutsch.');
      const { body } = await get('/sitemap.xml');
      expect(body).not.toContain('<loc>https://parley.example/privacy?lang=de<');
      expect(body).toContain('<loc>https://parley.example/privacy</loc>');
      expect(body).toContain('<loc>https://parley.example/terms?lang=de<');
    });

    it('is in the audit log with its former text', async () => {
      const place = { name: 'privacy', language: 'de' } as const;
      await save(place, 'Eins.');
      scene.server.advanceClock(1_000);
      await save(place, 'Zwei.', false);
      expect(await newestAudit('site_text_saved')).toMatchObject({
        before: { 'privacy.de': null },
        after: { 'privacy.de': 'Zwei.' },
      });
      scene.server.advanceClock(1_000);
      await save(place, 'Drei.');
      expect(await newestAudit('site_text_published')).toMatchObject({
        actor: scene.adminEmail,
        before: { 'privacy.de': 'Eins.' },
        after: { 'privacy.de': 'Drei.' },
      });
      scene.server.advanceClock(1_000);
      await takeBack(place, 'built_in');
      expect(await newestAudit('site_text_taken_back')).toMatchObject({
        before: { 'privacy.de': 'Drei.' },
        after: { 'privacy.de': null },
      });
    });
  });

  it('does not let the slower of two admins overwrite the other’s text, and shows it', async () => {
    const place = { name: 'terms', language: 'en' } as const;
    const { revision } = await read(place);
    const both = await Promise.all(
      ['One.', 'Two.'].map((text) => scene.ask('save-site-text', { ...place, revision, text, publishes: true })),
    );
    const answers = both.map(({ body }) => body as unknown as SiteTextChange);
    const [changed] = answers.filter(({ status }) => status === 'changed');
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['changed', 'conflict']);
    expect(answers.map(({ text }) => text)).toEqual([changed?.text, changed?.text]);
    expect(await read(place)).toEqual(changed?.text);
  });

  describe('the headline and the introduction of the home page', () => {
    it('are the school’s in the languages that it wrote, Parley’s in the others', async () => {
      await save({ name: 'headline', language: 'de' }, 'Englisch für <unsere> Häfen');
      await save({ name: 'introduction', language: 'de' }, 'Zehn Minuten am Tag.');
      const german = (await get('/?lang=de')).body;
      expect(german).toContain('<h1>Englisch für &lt;unsere&gt; Häfen</h1>');
      expect(german).toContain('<p class="lead">Zehn Minuten am Tag.</p>');
      expect(german).toMatch(/<title>[^<]*: Englisch für &lt;unsere&gt; Häfen<\/title>/);
      expect(german).toContain('<meta name="description" content="Zehn Minuten am Tag." />');
      expect((await get('/')).body).toContain('<h1>Practise the conversation before you have it.</h1>');
    });

    it('are shown as they were while the database fails', async () => {
      await save({ name: 'headline', language: 'en' }, 'English for ports');
      expect((await get('/')).body).toContain('<h1>English for ports</h1>');
      const { db } = scene.server.database;
      await db.execute('alter table site_texts rename to site_texts_away');
      try {
        expect((await get('/')).body).toContain('<h1>English for ports</h1>');
        expect((await get('/privacy')).statusCode).toBe(500);
      } finally {
        await db.execute('alter table site_texts_away rename to site_texts');
      }
    });
  });

  it.each([
    ['another language', { name: 'privacy', language: 'tlh', text: 'a' }],
    ['another text', { name: 'imprint', language: 'en', text: 'a' }],
    ['nothing', { name: 'privacy', language: 'en', text: ' \n ' }],
    ['a zero byte', { name: 'privacy', language: 'en', text: 'a\0' }],
    ['half a letter', { name: 'privacy', language: 'en', text: 'a\ud800' }],
    ['a long headline', { name: 'headline', language: 'en', text: 'a'.repeat(MAX_SITE_TEXT_LENGTHS.headline + 1) }],
    ['a book', { name: 'terms', language: 'en', text: 'a'.repeat(MAX_SITE_TEXT_LENGTHS.terms + 1) }],
  ])('%s is refused', async (_what, asked) => {
    expect(await scene.ask('save-site-text', { ...asked, revision: 0, publishes: true })).toMatchObject({
      status: 400,
      body: { code: 'request.invalid' },
    });
  });
}
