/** A coach whose model is not in memory yet: real requests from the window's port to a server that sends no byte until it is. */
import { createOpenAiModel } from '@parley/sync-server/openai';
import { type LoadingServer, startLoadingServer } from '@parley/sync-server/openai/loading-server';
import type { CoachSpeaking } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLive } from '../test-kit/a-live-coach.ts';
import { startServer, type TestServer } from '../test-kit/a-server.ts';
import { type OpenHost, openHost, removeDataFolders } from '../test-kit/open-host.ts';

const LINE = 'Good morning.';

let ollama: LoadingServer;
let opened: OpenHost;

/** The same server for all tests, with a model of its own for each. */
const coach = {
  where: 'own' as const,
  model: createOpenAiModel({ apiKey: '', baseUrl: null, model: 'none' }),
  firstByteMs: 20_000,
};
let server: TestServer;
beforeAll(async () => {
  const services = { coach, transcriber: null, assessor: null, voice: null };
  server = await startServer({ stalledAfterMs: 400, ai: { services, dailyLimitUsd: null, countsMinutes: false } });
});
afterAll(() => server.close());

beforeEach(async () => {
  ollama = await startLoadingServer();
  const timeouts = { firstByteMs: coach.firstByteMs };
  const access = { apiKey: '', baseUrl: ollama.url, model: 'llama3.3', timeouts };
  coach.model = createOpenAiModel({ ...access, isOwnServer: true, loadsModel: true });
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() } });
  await opened.ask.sync.run();
});
afterEach(async () => {
  await opened.host.close();
  await ollama.close();
  removeDataFolders();
});

it('the learner is told that the model is loading, and then hears the coach', async () => {
  const { sessionId } = await startLive(opened.ask, 'text');
  const events: CoachSpeaking[] = [];
  for await (const event of await opened.ask.practice.hearCoach({ sessionId })) {
    events.push(event);
    if (event.type === 'loading') ollama.finishLoading();
  }
  expect(events[0]).toEqual({ type: 'loading' });
  expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
});

it('a briefing loads it, and leaving the briefing does not break that off', async () => {
  await opened.ask.coach.warmUp();
  await ollama.asked;
  await opened.host.close();
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, dataDir: opened.dataDir });
  expect(ollama.abortedLoads()).toBe(0);
  ollama.finishLoading();
  const { sessionId } = await startLive(opened.ask, 'text');
  for await (const { type } of await opened.ask.practice.hearCoach({ sessionId })) expect(type).not.toBe('loading');
  expect(ollama.paths.filter((path) => path.endsWith('/chat/completions'))).toHaveLength(1);
});

it('a call with one answer is waited for longer than a connection may otherwise be silent', async () => {
  expect((await opened.ask.coach.offer()).coach).toMatchObject({ firstByteMs: 20_000 });
  ollama.says(JSON.stringify({ translation: 'Guten Morgen.' }));
  const translated = opened.ask.practice.translate({ text: 'Good morning.', language: 'German' });
  await ollama.asked;
  setTimeout(() => ollama.finishLoading(), 1_200);
  expect(await translated).toEqual({ text: 'Guten Morgen.' });
});
