import { i18n } from '@parley/i18n';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { ChosenReview } from './review-screen.tsx';

const words = ['river'];

async function showWith(readCards: () => Promise<{ cards: never[] }>): Promise<string> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  await queries.prefetchQuery({ queryKey: ['chosen-review', words], queryFn: readCards });
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <I18nProvider i18n={i18n}>
        <HostProvider client={{} as HostClient}>
          <ChosenReview words={words} onLeave={() => undefined} whenNoneIsListed={<p>the whole list</p>} />
        </HostProvider>
      </I18nProvider>
    </QueryClientProvider>,
  );
}

it('opens the whole list when no chosen word is listed any more, and not when the words cannot be read', async () => {
  expect(await showWith(async () => ({ cards: [] }))).toContain('the whole list');
  const failed = await showWith(() => Promise.reject(new Error('the host is gone')));
  expect(failed).not.toContain('the whole list');
  expect(failed).not.toContain('Loading your review');
  expect(failed).toContain('Review');
});
