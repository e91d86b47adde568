import { loadStarterCatalogue } from '@parley/catalogue';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { aClock, type OpenHost, openHost } from '../test-kit/open-host.ts';
import { aCatalogue } from '../test-kit/test-catalogue.ts';
import { startServer } from '../test-kit/test-server.ts';

const DAY_MS = 86_400_000;
const FIRST_PAGE = { offset: 0, limit: 100 };
/** The sixth starter post has tomorrow's date. */
const BEFORE_THE_LAST = '2026-11-18T10:00:00.000Z';

let opened: OpenHost[] = [];
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
});

async function open(options: Partial<Parameters<typeof openHost>[0]> = {}): Promise<OpenHost> {
  const one = await openHost({
    clock: aClock(BEFORE_THE_LAST),
    loadCatalogue: async () => loadStarterCatalogue(),
    ...options,
  });
  opened.push(one);
  return one;
}

describe('the blog', () => {
  it('is there on a new device that has never been online, the newest post first', async () => {
    const { ask } = await open();
    const { posts, total } = await ask.blog.list(FIRST_PAGE);
    expect(total).toBe(5);
    expect(posts.map(({ slug }) => slug)).toEqual([
      'what-is-stored-on-your-computer',
      'phone-calls-without-fear',
      'small-talk-for-people-who-hate-it',
      'learning-sounds',
      'how-your-score-is-made',
    ]);
    expect(posts[0]).toMatchObject({ isRead: false, minutes: expect.any(Number) });
    expect((await ask.blog.list({ offset: 4, limit: 100 })).posts).toHaveLength(1);
  });

  it('shows a dated post when its time comes', async () => {
    const clock = aClock(BEFORE_THE_LAST);
    const { ask } = await open({ clock });
    expect(await ask.blog.post({ slug: 'for-teachers' })).toBeNull();
    clock.pass(DAY_MS);
    expect(await ask.blog.post({ slug: 'for-teachers' })).toMatchObject({ content: expect.stringContaining('lesson') });
    expect(await ask.blog.unread()).toEqual({ count: 6 });
  });

  it('remembers read posts after a restart', async () => {
    const first = await open();
    const post = await first.ask.blog.post({ slug: 'learning-sounds' });
    if (post === null) throw new Error('the post is missing');
    await first.ask.blog.markRead({ id: post.id });
    await first.ask.blog.markRead({ id: post.id });
    await first.host.close();
    const { ask } = await open({ dataDir: first.dataDir });
    expect(await ask.blog.unread()).toEqual({ count: 4 });
    expect((await ask.blog.post({ slug: 'learning-sounds' }))?.isRead).toBe(true);
    await ask.blog.markAllRead();
    expect(await ask.blog.unread()).toEqual({ count: 0 });
    expect((await ask.blog.list(FIRST_PAGE)).posts.every(({ isRead }) => isRead)).toBe(true);
  });

  it('loses withdrawn posts with the next sync', async () => {
    const { blogPosts } = loadStarterCatalogue();
    const catalogue = { ...(await aCatalogue()), blogPosts };
    const server = await startServer({ catalogue });
    try {
      const { ask, host } = await open({ serverUrl: server.url, loadCatalogue: async () => catalogue });
      await ask.sync.run();
      await host.whenIdle();
      expect((await ask.blog.list(FIRST_PAGE)).total).toBe(5);
      await server.execute(sql`
        with next as (update sync_scopes set version = version + 1 where scope = 'catalogue' returning version)
        update blog_posts set deleted_at = now(), content = '', excerpt = '', cover_image = null,
          sync_version = next.version from next where slug = 'learning-sounds'`);
      await ask.sync.run();
      await host.whenIdle();
      expect(await ask.blog.post({ slug: 'learning-sounds' })).toBeNull();
      expect(await ask.blog.unread()).toEqual({ count: 4 });
      expect((await ask.blog.list(FIRST_PAGE)).posts.map(({ slug }) => slug)).not.toContain('learning-sounds');
    } finally {
      await server.close();
    }
  });

  it('is empty without posts', async () => {
    const { ask } = await open({ loadCatalogue: async () => ({}) });
    expect(await ask.blog.list(FIRST_PAGE)).toEqual({ posts: [], total: 0 });
  });
});
