import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createQueries, type HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { NotMovedBanner } from './not-moved-banner.tsx';

const never = () => new Promise(() => undefined);
const client = { sync: { status: never, run: never } } as unknown as HostClient;

function shown(isMoveOffline: boolean): string {
  const cache = new QueryClient();
  cache.setQueryData(createQueries(client).sync.status.queryKey(), {
    state: 'not_moved',
    waiting: 0,
    rejected: 0,
    unread: 0,
    lastSyncedAt: null,
    leadsTo: null,
    obstacle: null,
    isMoveOffline,
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <HostProvider client={client}>
        <NotMovedBanner />
      </HostProvider>
    </QueryClientProvider>,
  );
}

it('suggests a full disk only if the server could be reached', () => {
  expect(shown(false)).toContain('If the disk is full');
  expect(shown(true)).toContain('as soon as it reaches the server');
  expect(shown(true)).not.toContain('disk');
});
