import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { and, eq } from 'drizzle-orm';
import type { DatabaseConnection } from '../db/client.ts';
import { auditLog, tables } from '../db/tables.ts';
import { readHome } from '../school/home.ts';
import { readOverview } from '../school/overview.ts';
import { type ContentAdmin, openContentAdmin } from '../../test-kit/content/content-fixture.ts';
import {
  type PulledRow,
  registerDevice,
  startServer,
  type TestDevice,
  type TestServer,
} from '../../test-kit/server.ts';
import { createAuthoring, createContentChanges } from './index.ts';

export function postsSuite(open: () => Promise<DatabaseConnection>): void {
  let server: TestServer;
  let admin: ContentAdmin;
  let learner: TestDevice;
  beforeAll(async () => {
    server = await startServer(await open());
    admin = await openContentAdmin(server);
    learner = await registerDevice(server);
  });
  afterAll(() => server.close());

  const pulledPost = async (id: string): Promise<PulledRow['fields'] | undefined> =>
    (await learner.pull()).find(({ table, fields }) => table === 'blog_posts' && fields['id'] === id)?.fields;

  const openAuthoring = () => {
    const { db } = server.database;
    const { now } = server;
    const changes = createContentChanges({ db, now, onCatalogueChanged: () => undefined, starterOf: () => undefined });
    return createAuthoring({ db, now, changes });
  };

  it('renders a text as the site does, without its scripts', async () => {
    const text = '# Doors\n\n| a | b |\n| - | - |\n| ~~1~~ | 2 |\n\n<script>alert(1)</script><p onclick="x()">Open</p>';
    const { html } = await admin.call<{ html: string }>('render-text', { text });
    expect(html).toMatch(/^<h2>Doors<\/h2>/);
    expect(html).toContain('<td><del>1</del></td>');
    expect(html).toContain('<p>Open</p>');
    expect(html).not.toMatch(/script|alert|onclick/);
    await expect(admin.call('render-text', { text: '>'.repeat(5_000) })).rejects.toThrow('request.invalid');
  });

  it('refuses to publish a post that no parser can take', async () => {
    const content = '>'.repeat(5_000);
    const post = { title: 'Quotes', slug: 'quotes', content, excerpt: 'Quotes.', cover: '', publishAt: null };
    const draft = await admin.create('post', post);
    await expect(admin.publish(draft)).resolves.toMatchObject({
      problems: [{ findings: [{ path: ['content'], code: 'post.too_complex' }] }],
    });
  });

  it('publishes a scheduled post when its time has come', async () => {
    const publishAt = new Date(server.now().getTime() + 3_600_000).toISOString();
    const post = { title: 'News', slug: 'news', content: '# Hello', excerpt: 'Hello.', cover: '', publishAt };
    const draft = await admin.create('post', post);
    expect(await admin.publish(draft)).toMatchObject({ contents: [{ state: 'draft', publishAt }] });
    expect(await pulledPost(draft.id)).toBeUndefined();
    server.advanceClock(3_600_001);
    const authoring = openAuthoring();
    expect(await authoring.publishScheduled()).toEqual({ published: 1, blocked: [] });
    expect(await pulledPost(draft.id)).toMatchObject({ slug: 'news', publishedAt: publishAt });
    expect(await authoring.publishScheduled()).toEqual({ published: 0, blocked: [] });
  });

  it('makes a scheduled post that cannot be published a draft again', async () => {
    const publishAt = new Date(server.now().getTime() + 3_600_000).toISOString();
    const post = { title: 'Party', slug: 'party', content: 'Text.', excerpt: 'About it.', cover: '', publishAt };
    const scheduled = await admin.create('post', post);
    await admin.publish(scheduled);
    // Only earlier versions allowed another post to take the address in the meantime.
    const other = await admin.create('post', { ...post, slug: 'other-party', publishAt: null });
    await admin.publish(other);
    await server.database.db.update(tables.blogPosts).set({ slug: 'party' }).where(eq(tables.blogPosts.id, other.id));
    server.advanceClock(3_600_001);
    expect(await openAuthoring().publishScheduled()).toEqual({ published: 0, blocked: [scheduled.id] });
    expect(await admin.read('post', scheduled.id)).toMatchObject({ state: 'draft', publishAt: null });
    expect(await openAuthoring().publishScheduled()).toEqual({ published: 0, blocked: [] });
    const { db } = server.database;
    const isUnscheduled = and(eq(auditLog.subjectId, scheduled.id), eq(auditLog.act, 'content_unscheduled'));
    expect(await db.select().from(auditLog).where(isUnscheduled)).toMatchObject([
      {
        actorId: null,
        subject: 'content',
        details: { kind: 'post', title: 'Party' },
      },
    ]);
    const waitingPosts = async () => (await readHome(db, server.now())).attention.filter(({ kind }) => kind === 'post');
    expect(await waitingPosts()).toEqual([
      {
        kind: 'post',
        userId: null,
        contentId: scheduled.id,
        name: 'Party',
        email: null,
        detail: null,
        since: server.now().toISOString(),
      },
    ]);
    const overview = async () =>
      (await readOverview(db, { userId: admin.device.userId, now: server.now(), isMailWritten: false })).waiting;
    expect(await overview()).toMatchObject({ posts: 1 });
    server.advanceClock(1);
    await admin.save(await admin.read('post', scheduled.id), { ...post, slug: 'party-2' });
    expect(await waitingPosts()).toEqual([]);
    expect(await overview()).toMatchObject({ posts: 0 });
  });

  it('does not schedule a post for the address of another scheduled post', async () => {
    const publishAt = new Date(server.now().getTime() + 3_600_000).toISOString();
    const post = { title: 'Term', slug: 'term', content: 'Text.', excerpt: 'About it.', cover: '', publishAt };
    const first = await admin.create('post', post);
    await admin.publish(first);
    expect(await admin.publish(await admin.create('post', { ...post, title: 'Term again' }))).toMatchObject({
      status: 'blocked',
    });
    // The first post may be rescheduled.
    expect(await admin.publish(await admin.read('post', first.id))).toMatchObject({ contents: [{ publishAt }] });
  });

  it.each(['0002', '0202', '1999', '2100'])('does not publish a post with a time in the year %s', async (year) => {
    const publishAt = `${year}-06-24T18:00:00.000Z`;
    const post = { title: 'Typo', slug: `typo-${year}`, content: 'Text.', excerpt: 'About it.', cover: '', publishAt };
    expect(await admin.publish(await admin.create('post', post))).toMatchObject({
      status: 'blocked',
      problems: [{ findings: [{ severity: 'error', path: ['publishAt'], code: 'post.time_invalid' }] }],
    });
  });

  it('leads from the former addresses of a post to its present one', async () => {
    const id = randomUUID();
    const [first, second] = [`first-${id}`, `second-${id}`];
    const post = { title: 'Moved', content: 'Text.', excerpt: 'About it.', cover: '', publishAt: null };
    const draft = await admin.create('post', { ...post, slug: first }, id);
    const get = async (slug: string) => {
      const { statusCode, headers } = await server.app.inject({
        url: `/blog/${slug}`,
        headers: { accept: 'text/html' },
      });
      return [statusCode, headers.location];
    };
    expect(await get(first)).toEqual([404, undefined]);
    await admin.publish(draft);
    expect(await get(first)).toEqual([200, undefined]);
    const saved = await admin.save(await admin.read('post', id), { ...post, slug: second });
    expect(await get(first)).toEqual([200, undefined]);
    if (saved.status !== 'saved') throw new Error(saved.status);
    await admin.publish(saved.content);
    expect(await get(second)).toEqual([200, undefined]);
    expect(await get(first)).toEqual([301, `/blog/${second}`]);
    // Another post may have the address now.
    await admin.publish(await admin.create('post', { ...post, slug: first }));
    expect(await get(first)).toEqual([200, undefined]);
    await admin.call('withdraw', { kind: 'post', id, revision: (await admin.read('post', id)).revision });
    expect(await get(second)).toEqual([404, undefined]);
  });
}
