import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseConnection } from '../db/client.ts';
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

  it('publishes a scheduled post when its time has come', async () => {
    const publishAt = new Date(server.now().getTime() + 3_600_000).toISOString();
    const post = { title: 'News', slug: 'news', content: '# Hello', excerpt: 'Hello.', cover: '', publishAt };
    const draft = await admin.create('post', post);
    expect(await admin.publish(draft)).toMatchObject({ contents: [{ state: 'draft', publishAt }] });
    expect(await pulledPost(draft.id)).toBeUndefined();
    server.advanceClock(3_600_001);
    const { db } = server.database;
    const { now } = server;
    const changes = createContentChanges({ db, now, onCatalogueChanged: () => undefined, starterOf: () => undefined });
    const authoring = createAuthoring({ db, now, changes });
    expect(await authoring.publishScheduled()).toBe(1);
    expect(await pulledPost(draft.id)).toMatchObject({ slug: 'news', publishedAt: publishAt });
    expect(await authoring.publishScheduled()).toBe(0);
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
