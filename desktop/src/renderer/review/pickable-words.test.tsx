import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeakerProvider } from '../audio/index.ts';
import type { HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { PickableWords } from './pickable-words.tsx';

const client = { settings: { read: () => new Promise(() => undefined) } } as unknown as HostClient;

it('offers the words of a line, and not the dots where the coach was interrupted', () => {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <HostProvider client={client}>
        <SpeakerProvider>
          <PickableWords text="It's 9:30 – promised for …" />
        </SpeakerProvider>
      </HostProvider>
    </QueryClientProvider>,
  );
  expect([...html.matchAll(/<button[^>]*>([^<]*)/g)].map(([, word]) => word)).toEqual([
    'It’s',
    '9:30',
    'promised',
    'for',
  ]);
  expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe('It’s 9:30 – promised for …');
});
