import type { ReviewWord } from '@parley/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeakerProvider } from '../audio/index.ts';
import type { HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { ReviewCardView } from './review-card.tsx';
import type { SpokenWord } from './review-progress.ts';

const client = { settings: { read: () => new Promise(() => undefined) } } as unknown as HostClient;
const card = {
  word: 'river',
  ipa: '',
  sentence: null,
  before: null,
  best: null,
  latest: null,
  worstPhonemes: [],
} as unknown as ReviewWord;
const unheard = { word: null, attempt: { assessment: { unusable: { reason: 'silent' } } } } as unknown as SpokenWord;

it('offers another microphone for a word that could not be heard', async () => {
  const root = createRootRoute({
    component: () => (
      <ReviewCardView
        card={card}
        stage={{ name: 'word', text: 'river' }}
        spoken={unheard}
        onChooseMicrophone={() => undefined}
      />
    ),
  });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });
  await router.load();
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <HostProvider client={client}>
        <SpeakerProvider>
          <RouterProvider router={router as never} />
        </SpeakerProvider>
      </HostProvider>
    </QueryClientProvider>,
  );
  expect(html).toContain('Choose a microphone');
});
