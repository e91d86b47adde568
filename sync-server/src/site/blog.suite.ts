import { randomUUID } from 'node:crypto';
import type { ContentView } from '@parley/contract';
import type { PostDocument } from '@parley/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import { confirmDevice, startServer, type TestServer } from '../../test-kit/server.ts';

const DAY_MS = 86_400_000;

/** The blog as the panel fills it. */
export function blogSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  beforeAll(async () => {
    server = await startServer(await open(), { account: { access: 'granted', origin: 'https://parley.example' } });
    admin = await openContentAdmin(server);
  });
  afterAll(() => server.close());

  const get = (url: string) => server.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
  const aPost = (changes: Partial<PostDocument> = {}): PostDocument => ({
    title: 'A post',
    slug: `post-${randomUUID()}`,
    content: 'Words to read.',
    excerpt: 'What it is about.',
    cover: '',
    publishAt: null,
    ...changes,
  });
  const document = (view: ContentView): PostDocument => view.document as PostDocument;
  async function publish(view: ContentView): Promise<ContentView> {
    const result = await admin.publish(view);
    const [content] = result.status === 'published' ? result.contents : [];
    if (content === undefined) throw new Error(JSON.stringify(result));
    return content;
  }
  const publishNew = async (changes: Partial<PostDocument> = {}): Promise<ContentView> =>
    publish(await admin.create('post', aPost(changes)));
  async function edit(view: ContentView, changes: Partial<PostDocument>): Promise<ContentView> {
    const result = await admin.save(view, { ...document(view), ...changes });
    if (result.status !== 'saved') throw new Error(JSON.stringify(result));
    return result.content;
  }

  describe('a post whose address changes', () => {
    it('is found at each address that it had, in one step', async () => {
      const first = await publishNew({ slug: 'first-address' });
      const second = await publish(await edit(first, { slug: 'second-address' }));
      await publish(await edit(second, { slug: 'third-address' }));
      for (const slug of ['first-address', 'second-address']) {
        const answer = await get(`/blog/${slug}`);
        expect(answer).toMatchObject({ statusCode: 301, headers: { location: '/blog/third-address' } });
        expect((await get(`/blog/${slug}/cover.png`)).headers.location).toBe('/blog/third-address/cover.png');
      }
      expect((await get('/blog/third-address')).statusCode).toBe(200);
    });

    it('gets its former address back', async () => {
      const post = await publishNew({ slug: 'there' });
      const away = await publish(await edit(post, { slug: 'away' }));
      await publish(await edit(away, { slug: 'there' }));
      expect((await get('/blog/there')).statusCode).toBe(200);
      expect((await get('/blog/away')).headers.location).toBe('/blog/there');
    });

    it('leaves its former address to a post that takes it', async () => {
      const old = await publishNew({ slug: 'timetable', title: 'Last year' });
      await publish(await edit(old, { slug: 'timetable-2025' }));
      await publishNew({ slug: 'timetable', title: 'This year' });
      expect((await get('/blog/timetable')).body).toMatch(/<h1[^>]*>This year</);
    });

    it('keeps the address that readers know until the change is published', async () => {
      const post = await publishNew({ slug: 'known' });
      await edit(post, { slug: 'not-yet' });
      expect((await get('/blog/known')).statusCode).toBe(200);
      expect((await get('/blog/not-yet')).statusCode).toBe(404);
    });

    it('is at no address once it is withdrawn', async () => {
      const post = await publishNew({ slug: 'was-here' });
      const moved = await publish(await edit(post, { slug: 'is-here' }));
      await admin.call('withdraw', { kind: 'post', id: moved.id, revision: moved.revision });
      for (const path of ['/blog/was-here', '/blog/is-here', '/blog/is-here/cover.png'])
        expect((await get(path)).statusCode).toBe(404);
      for (const list of ['/blog', '/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json', '/sitemap.xml'])
        expect((await get(list)).body).not.toContain('is-here');
    });
  });

  describe('a text with characters that XML forbids', () => {
    it('leaves the feeds readable', async () => {
      const pasted = 'two\u000b lines\u0007 and \ufffe more \u{1f3a7}';
      await publishNew({ slug: 'pasted', title: pasted, excerpt: pasted, author: pasted });
      for (const path of ['/blog/rss.xml', '/blog/atom.xml', '/sitemap.xml']) {
        const { body } = await get(path);
        // https://www.w3.org/TR/xml/#charsets
        expect(body).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
      }
      expect((await get('/blog/atom.xml')).body).toContain('two lines and  more \u{1f3a7}');
    });
  });

  describe('the feeds', () => {
    it('are in the language that their address names', async () => {
      await publishNew();
      const german = 'Wie du bei der Arbeit mit weniger Angst Englisch sprichst, und wie Parley zuhört.';
      const rss = (await get('/blog/rss.xml?lang=de')).body;
      expect(rss).toContain('<language>de</language>');
      expect(rss).toContain(`<description>${german}</description>`);
      expect(rss).toContain('href="https://parley.example/blog/rss.xml?lang=de"');
      expect((await get('/blog/atom.xml?lang=de')).body).toContain(`<subtitle>${german}</subtitle>`);
      expect((await get('/blog/feed.json?lang=de')).json()).toMatchObject({
        title: 'Parley, Blog',
        description: german,
        home_page_url: 'https://parley.example/blog?lang=de',
        feed_url: 'https://parley.example/blog/feed.json?lang=de',
      });
      // Feeds have one address for all readers, whose programs send no useful Accept-Language.
      const plain = await server.app.inject({ url: '/blog/rss.xml', headers: { 'accept-language': 'de' } });
      expect(plain.body).toContain('<language>en</language>');
      const page = (await get('/blog?lang=de')).body;
      for (const name of ['rss.xml', 'atom.xml', 'feed.json']) expect(page).toContain(`href="/blog/${name}?lang=de"`);
    });

    it('keep a text that would end a CDATA section', async () => {
      const text = 'a ]]> b & <i>c</i>';
      await publishNew({ slug: 'cdata', title: text, excerpt: text, author: text });
      const [rss, atom] = [(await get('/blog/rss.xml')).body, (await get('/blog/atom.xml')).body];
      const escaped = 'a ]]&gt; b &amp; &lt;i&gt;c&lt;/i&gt;';
      expect(rss).toContain('<title><![CDATA[a ]]]]><![CDATA[> b & <i>c</i>]]></title>');
      expect(atom).toContain(`<title type="html"><![CDATA[${escaped}]]></title>`);
      expect(rss).toContain(`<description><![CDATA[${escaped}]]></description>`);
      expect(atom).toContain(`<summary type="html"><![CDATA[${escaped}]]></summary>`);
      expect(rss).toMatch(/<dc:creator[^>]*>a \]\]&gt; b &amp; &lt;i&gt;c&lt;\/i&gt;<\/dc:creator>/);
      expect(atom).toContain(`<name>${escaped}</name>`);
    });
  });

  describe('the author', () => {
    it('is named under the title, in the page data and feeds; else the school is', async () => {
      const post = await publishNew({ slug: 'signed', author: ' Ada <b> ' });
      const { body } = await get('/blog/signed');
      expect(body).toContain('<bdi>Ada &lt;b&gt;</bdi>');
      expect(body).toContain('"author":{"@type":"Person","name":"Ada \\u003cb>"}');
      expect((await get('/blog/feed.json')).json()).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining({ author: { name: 'Ada <b>' } })]) as unknown,
      });
      expect((await get('/blog/atom.xml')).body).toContain('<name>Ada &lt;b&gt;</name>');
      expect((await get('/blog/rss.xml')).body).toMatch(/<dc:creator[^>]*>Ada &lt;b&gt;<\/dc:creator>/);
      const changed = await publish(await edit(post, { title: 'Signed' }));
      expect(document(changed).author).toBe('Ada <b>');
      await publish(await edit(changed, { author: '' }));
      expect((await get('/blog/signed')).body).toContain('<bdi>Parley</bdi>');
      expect((await get('/blog/feed.json')).body).not.toContain('Ada');
    });
  });

  describe('tags', () => {
    it('group posts, in small letters', async () => {
      const post = await publishNew({ title: 'Tagged', slug: 'tagged', tags: ['Phone calls', ' work '] });
      await publishNew({ title: 'Untagged', slug: 'untagged' });
      expect((await get('/blog/tagged')).body).toContain('<a rel="tag" href="/tags/phone%20calls">phone calls</a>');
      const list = await get('/tags/phone%20calls');
      expect(list.body).toContain('<h1>Posts about phone calls</h1>');
      expect(list.body).toContain('href="/blog/tagged"');
      expect(list.body).not.toContain('href="/blog/untagged"');
      expect(list.body).toContain('1 min');
      expect(list.body).toContain('<a rel="tag" href="/tags/work">work</a>');
      expect((await get('/sitemap.xml')).body).toContain('<loc>https://parley.example/tags/phone%20calls</loc>');
      await publish(await edit(post, { tags: ['work'] }));
      expect((await get('/tags/phone%20calls')).statusCode).toBe(404);
    });

    it('link posts that are read one after the other', async () => {
      for (let index = 0; index < 4; index += 1) await publishNew({ title: `Newer ${index}` });
      await publishNew({
        title: 'Older sister',
        slug: 'sister',
        tags: ['grammar'],
        publishAt: '2026-01-02T08:00:00.000Z',
      });
      await publishNew({ title: 'Younger sister', slug: 'younger', tags: ['grammar'] });
      expect((await get('/blog/younger')).body).toContain('href="/blog/sister"');
    });

    it('are words', async () => {
      const result = await admin.publish(await admin.create('post', aPost({ tags: ['<b>', 'fine'] })));
      expect(result).toMatchObject({ status: 'blocked', problems: [{ findings: [{ path: ['tags'] }] }] });
    });
  });

  describe('a preview link', () => {
    const linkTo = async ({ id }: ContentView): Promise<string> => {
      const { url } = await admin.call<{ url: string }>('preview-link', { id });
      return new URL(url).pathname;
    };

    it('shows the draft as it is, and is kept from caches and search engines', async () => {
      const draft = await admin.create('post', aPost({ title: 'Soon', slug: 'soon', content: 'Not **yet**.' }));
      const path = await linkTo(draft);
      const { statusCode, headers, body } = await get(path);
      expect(statusCode).toBe(200);
      expect(body).toContain('Not <strong>yet</strong>.');
      expect(body).toContain('<meta name="robots" content="noindex"');
      expect(body).not.toContain(path);
      expect(body).toContain('href="?lang=de"');
      expect((await get(`${path}?lang=de`)).body).toContain('lang="de"');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
      });
      await edit(draft, { content: 'Changed.' });
      expect((await get(path)).body).toContain('Changed.');
    });

    it.each(['published', 'expired', 'replaced', 'deleted'])('has no effect once it is %s', async (how) => {
      const draft = await admin.create('post', aPost());
      const path = await linkTo(draft);
      expect((await get(path)).statusCode).toBe(200);
      if (how === 'published') await publish(draft);
      if (how === 'expired') {
        server.advanceClock(7 * DAY_MS);
        await confirmDevice(server, admin.device);
      }
      if (how === 'replaced') await linkTo(draft);
      if (how === 'deleted') await admin.call('delete', { kind: 'post', id: draft.id, revision: draft.revision });
      expect((await get(path)).statusCode).toBe(404);
    });

    it('shows the changes to a published post until they are published', async () => {
      const post = await publishNew({ content: 'Old.' });
      const path = await linkTo(await edit(post, { content: 'New.' }));
      expect((await get(path)).body).toContain('New.');
    });

    it('works until a scheduled post appears', async () => {
      const publishAt = new Date(server.now().getTime() + DAY_MS).toISOString();
      const scheduled = await publishNew({ slug: 'tomorrow', publishAt });
      const path = await linkTo(scheduled);
      expect((await get('/blog/tomorrow')).statusCode).toBe(404);
      expect((await get(path)).statusCode).toBe(200);
    });

    it('is not offered for a post that readers see already', async () => {
      const post = await publishNew();
      expect(await admin.tryCall('preview-link', { id: post.id })).toMatchObject({
        status: 400,
        body: { code: 'request.invalid' },
      });
    });

    it('is stored as a hash and never logged', async () => {
      const path = await linkTo(await admin.create('post', aPost()));
      await get(path);
      const token = path.split('/').at(-1) ?? '';
      expect(token).toHaveLength(22);
      const { rows } = (await server.database.db.execute('select token_hash from post_previews')) as {
        rows: unknown[];
      };
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(server.log()).not.toContain(token);
    });

    it.each([
      '/preview/',
      '/preview/guess',
      `/preview/${'a'.repeat(22)}`,
      '/preview/%00',
      `/preview/${'a'.repeat(5_000)}`,
    ])('is not guessed with %s', async (path) => {
      const { statusCode } = await get(path);
      expect([400, 404, 414]).toContain(statusCode);
    });
  });
}
