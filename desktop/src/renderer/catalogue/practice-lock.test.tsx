import type { AccountState, CoachAvailability } from '@parley/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createORPCClient } from '@orpc/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createQueries, type HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { PracticeLock } from './practice-lock.tsx';

const offerOf = (hasCoach: boolean): CoachAvailability => ({
  coach: hasCoach ? { where: 'own', name: 'a model' } : null,
  transcriber: null,
  scorer: null,
  voice: null,
  realtime: null,
});

function render(hasCoach: boolean, account: Pick<AccountState, 'hasServer' | 'liveAccess'>): string {
  const client: HostClient = createORPCClient({ call: () => Promise.reject(new Error('The host was not expected.')) });
  const cache = new QueryClient();
  const queries = createQueries(client);
  cache.setQueryData(queries.coach.offer.queryKey(), offerOf(hasCoach));
  cache.setQueryData(queries.account.state.queryKey(), {
    known: null,
    isFresh: true,
    isSignedOut: false,
    ...account,
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <HostProvider client={client}>
        <PracticeLock />
      </HostProvider>
    </QueryClientProvider>,
  );
}

it.each([
  ['no server', false, { hasServer: false, liveAccess: 'granted' }, 'a live coach needs a server'],
  ['no live coach', false, { hasServer: true, liveAccess: 'granted' }, 'none is connected'],
  ['no account', true, { hasServer: true, liveAccess: 'sign_in' }, 'Sign in first'],
  ['no approval', true, { hasServer: true, liveAccess: 'waiting' }, 'approved yet'],
] as const)('says that there is %s', (_what, hasCoach, account, reason) => {
  expect(render(hasCoach, account)).toContain(reason);
});

it('shows no lock when the learner may talk to a live coach', () => {
  expect(render(true, { hasServer: true, liveAccess: 'granted' })).toBe('');
});
