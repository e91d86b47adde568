import type { ResultView } from '@parley/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeakerProvider } from '../../audio/index.ts';
import { createQueries, type HostClient } from '../../foundation/host/host-connection.ts';
import { HostProvider } from '../../foundation/host/host-context.tsx';
import { Transcript } from './transcript.tsx';

const never = () => new Promise<never>(() => undefined);
const aTurn = (number: number, role: 'coach' | 'learner', text: string) => ({
  turnId: `019a0000-0000-7000-8000-00000000000${number}`,
  role,
  text,
  assessment: { words: [], pron: 80 },
  recordingId: role === 'learner' ? `019a0000-0000-7000-8000-00000000001${number}` : null,
});
const session = {
  sessionId: '019a0000-0000-7000-8000-000000000099',
  coach: { name: 'Grace' },
  objectives: [],
  turns: [
    aTurn(1, 'coach', 'Good morning.'),
    aTurn(2, 'learner', 'Good morning, Grace.'),
    aTurn(3, 'coach', 'What’s new?'),
    aTurn(4, 'learner', 'Nothing is new.'),
  ],
} as unknown as ResultView['session'];

async function buttonNames(): Promise<string[]> {
  const client = {
    settings: { read: never },
    server: { read: async () => ({ url: 'https://school.example' }) },
  } as unknown as HostClient;
  const cache = new QueryClient();
  // Only with a server is there a school to report to.
  await cache.prefetchQuery(createQueries(client).server.read.queryOptions());
  const html = renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <HostProvider client={client}>
        <SpeakerProvider>
          <Transcript session={session} />
        </SpeakerProvider>
      </HostProvider>
    </QueryClientProvider>,
  );
  return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(
    ([, attributes = '', content = '']) =>
      /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? content.replaceAll(/<[^>]*>/g, ''),
  );
}

it.each(['Report…', 'Compare with the model', 'Try this sentence again', 'Shadow'])(
  'names each button “%s” after its line',
  async (action) => {
    const names = (await buttonNames()).filter((name) => name.startsWith(action));
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual([...new Set(names)]);
  },
);
