import { I18nProvider } from '@lingui/react';
import { i18n } from '@parley/i18n';
import { RecordingId, type WordAssessment } from '@parley/domain';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeakerProvider } from '../audio/index.ts';
import { createQueries, type HostClient } from '../foundation/host/host-connection.ts';
import { HostProvider } from '../foundation/host/host-context.tsx';
import { CompareSentence } from './compare-sentence.tsx';
import type { ModelVoice, VoiceSound } from './tracks/use-voices.ts';

const TEXT = 'Is there anything?';
const recordingId = RecordingId.parse('019a0000-0000-7000-8000-000000000001');
const words = TEXT.replace('?', '')
  .split(' ')
  .map((word, at): WordAssessment => ({
    word,
    startMs: at * 400,
    endMs: at * 400 + 300,
    accuracy: 80,
    error: 'None',
    phonemes: [],
  }));
const sound: VoiceSound = { wav: new Blob(), levels: [0.5, 0.5] };
const model = { ...sound, track: { durationMs: 1_100, pitch: [], words } } as unknown as ModelVoice;

async function show(readOwn: (() => Promise<VoiceSound>) | null): Promise<string> {
  const client = {
    settings: { read: () => new Promise(() => undefined) },
    recordings: { place: async () => ({ place: 'copy' }) },
  } as unknown as HostClient;
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  cache.setQueryData(['shadowing-model', TEXT], model);
  await cache.prefetchQuery(createQueries(client).recordings.place.queryOptions({ input: { recordingId } }));
  if (readOwn !== null) await cache.prefetchQuery({ queryKey: ['shadowing-own', recordingId], queryFn: readOwn });
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <I18nProvider i18n={i18n}>
        <HostProvider client={client}>
          <SpeakerProvider>
            <CompareSentence text={TEXT} recordingId={recordingId} words={words} shaded={words.slice(2)} />
          </SpeakerProvider>
        </HostProvider>
      </I18nProvider>
    </QueryClientProvider>,
  );
}

it('shows the model by itself when the recording cannot be read', async () => {
  const html = await show(() => Promise.reject(new Error('recording.file_missing')));
  expect(html).toContain('Play the model');
  expect(html.match(/<rect/g)).toHaveLength(1);
  expect(html).not.toContain('Play your voice');
  expect(html).not.toContain('role="alert"');
});

it('shows both voices, and says that a recording is a copy', async () => {
  const html = await show(async () => sound);
  expect(html).toContain('Play the model');
  expect(html).toContain('Play your voice');
  expect(html).toContain('You hear the smaller copy');
});

it('explains what is still missing while it waits', async () => {
  expect(await show(null)).toContain('Preparing the model voice');
});
