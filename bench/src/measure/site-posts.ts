/** Times the blog's list and feeds with many posts on PostgreSQL, through the server's own routes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { buildApp, openDatabase } from '../../../sync-server/src/index.ts';
import { startPostgres } from '../processes/start-postgres.ts';
import { quantile } from './quantile.ts';

const ORIGIN = 'https://parley.example';
const PATHS = ['/blog', '/blog?page=50', '/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json', '/sitemap.xml'];

export interface PostTimes {
  posts: number;
  p95Ms: number;
  slowest: string;
}

export async function measurePosts({ posts = 2_000, rounds = 40 } = {}): Promise<PostTimes> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-posts-'));
  const postgres = await startPostgres(dir);
  const database = await openDatabase({ type: 'postgres', url: postgres.url });
  const app = await buildApp({
    database,
    requestsPerMinute: 1_000_000,
    allowedHosts: ['parley.example'],
    account: { access: 'granted', origin: ORIGIN },
  });
  try {
    await database.db.execute(sql`
      insert into blog_posts (id, title, slug, content, excerpt, published_at, created_at, updated_at, sync_version)
      select gen_random_uuid(), 'Post ' || n, 'post-' || n, repeat('A paragraph of some length about speaking. ', 120), 'About it.',
        now() - n * interval '1 hour', now(), now(), n
      from generate_series(1, ${posts}::int) n`);
    await database.db.execute(sql`analyze`);
    const timesByPath = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const path of PATHS) {
        const startedMs = performance.now();
        const { statusCode } = await app.inject({ url: path, headers: { host: 'parley.example', accept: '*/*' } });
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
        timesByPath.set(path, [...(timesByPath.get(path) ?? []), performance.now() - startedMs]);
      }
    const [slowest = ['', 0] as const] = [...timesByPath]
      .map(([path, times]) => [path, quantile(times, 0.95)] as const)
      .toSorted((a, b) => b[1] - a[1]);
    return { posts, p95Ms: slowest[1], slowest: slowest[0] };
  } finally {
    await app.close();
    await database.close();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
