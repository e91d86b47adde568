import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { createQueries, type HostClient } from './host-connection.ts';
import { QUERY_GROUPS_BY_DAY, refresh } from './query-invalidation.ts';

let close: (() => void)[] = [];
afterEach(() => {
  for (const stop of close) stop();
  close = [];
});

/** A window that shows Today, the review, the unread posts and the plan of a host whose server may not answer. */
async function openWindow() {
  const reads = { today: 0, review: 0, blog: 0, billing: 0 };
  const server = { isAnswering: true };
  const count = (of: keyof typeof reads) => async () => {
    reads[of] += 1;
    return {};
  };
  const queries = createQueries({
    today: { overview: count('today') },
    review: { due: count('review') },
    progress: {},
    courses: {},
    blog: { unread: count('blog') },
    billing: { plans: () => (server.isAnswering ? count('billing')() : new Promise(() => undefined)) },
  } as unknown as HostClient);
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const show = (options: ConstructorParameters<typeof QueryObserver>[1]) => {
    close.push(new QueryObserver(cache, options).subscribe(() => undefined));
  };
  show(queries.today.overview.queryOptions() as never);
  show(queries.review.due.queryOptions() as never);
  show(queries.blog.unread.queryOptions() as never);
  show(queries.billing.plans.queryOptions() as never);
  await expect.poll(() => cache.isFetching()).toBe(0);
  return { reads, server, refresh: (groups: Parameters<typeof refresh>[2]) => refresh(cache, queries, groups) };
}

it('refetches queries that depend on the day when a new one begins', async () => {
  const shown = await openWindow();
  await shown.refresh(QUERY_GROUPS_BY_DAY);
  expect(shown.reads).toEqual({ today: 2, review: 2, blog: 2, billing: 1 });
});

it('reads the host again without waiting for a server that does not answer', async () => {
  const shown = await openWindow();
  shown.server.isAnswering = false;
  await shown.refresh(['billing', 'today']);
  expect(shown.reads).toMatchObject({ today: 2, billing: 1 });
});
