import type { Drill } from '@parley/contract';
import { SOURCE_LANGUAGE } from '@parley/i18n';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HostClient } from '../foundation/host/host-connection.ts';

const DRILLS: Drill[] = [
  { kind: 'word', trains: 'Consonants in a row', text: 'strengths', other: null },
  { kind: 'pair', trains: 'Ship or sheep', text: 'ship', other: 'sheep' },
];

/** The explanations are loaded together with the screens, in the language at that time. */
beforeEach(async () => {
  vi.resetModules();
  (await import('@parley/i18n')).activateLanguage('de', {});
});
/** Other test files share the modules, and are in English. */
afterEach(async () => {
  (await import('@parley/i18n')).activateLanguage(SOURCE_LANGUAGE, {});
  vi.resetModules();
});

async function show(address: string): Promise<string> {
  const [{ HostProvider }, { createQueries }, { DrillsScreen }, { SayScreen }, { ShadowScreen }] = await Promise.all([
    import('../foundation/host/host-context.tsx'),
    import('../foundation/host/host-connection.ts'),
    import('./drills-screen.tsx'),
    import('./say-screen.tsx'),
    import('../shadowing/shadow-screen.tsx'),
  ]);
  const turns = [{ role: 'coach', text: 'How are you?' }];
  const client = {
    settings: { read: () => new Promise(() => undefined) },
    drill: { list: async () => DRILLS },
    history: { list: async () => ({ items: [{ sessionId: 'one' }] }) },
    practice: { result: async () => ({ session: { title: 'Ask a colleague for help', turns } }) },
  } as unknown as HostClient;
  const cache = new QueryClient();
  const queries = createQueries(client);
  await cache.prefetchQuery(queries.drill.list.queryOptions());
  const latest = { search: '', offset: 0, limit: 1 };
  await cache.prefetchQuery(queries.history.list.queryOptions({ input: latest }));
  await cache.prefetchQuery(queries.practice.result.queryOptions({ input: { sessionId: 'one' as never } }));
  const root = createRootRoute();
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/drills', component: DrillsScreen }),
    createRoute({ getParentRoute: () => root, path: '/drills/say', component: SayScreen }),
    createRoute({ getParentRoute: () => root, path: '/shadow', component: ShadowScreen }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <HostProvider client={client}>
        <RouterProvider router={router as never} />
      </HostProvider>
    </QueryClientProvider>,
  );
}

it('explains drills in the learner’s language, and marks their texts as English', async () => {
  const html = await show('/drills');
  expect(html).toContain('<h2><span>Mehrere Konsonanten hintereinander</span></h2>');
  expect(html).toMatch(/<a[^>]* lang="en"[^>]*>strengths<\/a>/);
});

it('names a drill in the learner’s language, and a pair in English', async () => {
  expect(await show('/drills/say?text=strengths')).toMatch(/<h1 tabindex="-1">Mehrere Konsonanten hintereinander</i);
  expect(await show('/drills/say?text=ship')).toMatch(/<h1 tabindex="-1" lang="en">Ship or sheep</i);
});

it('marks the title of a practice as English above its sentences', async () => {
  expect(await show('/shadow')).toContain('lang="en">Ask a colleague for help</h2>');
});
