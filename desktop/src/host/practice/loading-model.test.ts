/**
 * A coach whose model is still loading, tested with real requests to a server that sends no byte until it is loaded.
 */
import { createOpenAiModel } from '@parley/sync-server/openai';
import { type LoadingServer, startLoadingServer } from '@parley/fakes/openai-compatible/loading-server.ts';
import type { CoachReplyUpdate } from '@parley/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startModelSession } from '../test-kit/model-coach-server.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { type OpenHost, openHost } from '../test-kit/open-host.ts';

const LINE = 'Good morning.';

let ollama: LoadingServer;
let opened: OpenHost;

/** All tests share the server; each has its own model. */
const coach = {
  where: 'own' as const,
  model: createOpenAiModel({ apiKey: '', baseUrl: null, model: 'none' }),
  firstByteMs: 20_000,
};
let server: TestServer;
beforeAll(async () => {
  const services = { coach, transcriber: null, assessor: null, voice: null };
  server = await startServer({ stalledAfterMs: 400, ai: { services, dailyLimitUsd: null, isMetered: false } });
});
afterAll(() => server.close());

beforeEach(async () => {
  ollama = await startLoadingServer();
  const timeouts = { firstByteMs: coach.firstByteMs };
  const access = { apiKey: '', baseUrl: ollama.url, model: 'llama3.3', timeouts };
  coach.model = createOpenAiModel({ ...access, isSelfHosted: true, loadsModel: true });
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() } });
  await opened.ask.sync.run();
});
afterEach(async () => {
  await opened.host.close();
  await ollama.close();
});

it('the learner sees that the model is loading, then gets the reply', { tags: ['slow'] }, async () => {
  const { sessionId } = await startModelSession(opened.ask, 'text');
  const events: CoachReplyUpdate[] = [];
  for await (const event of await opened.ask.practice.streamCoachReply({ sessionId })) {
    events.push(event);
    if (event.type === 'loading') ollama.finishLoading();
  }
  expect(events[0]).toEqual({ type: 'loading' });
  expect(events.at(-1)).toMatchObject({ type: 'session', session: { turns: [{ text: LINE }] } });
});

it('a briefing loads the model, and leaving the briefing does not abort it', async () => {
  await opened.ask.coach.warmUp();
  await ollama.firstRequest;
  await opened.host.close();
  opened = await openHost({ serverUrl: server.url, clock: { now: () => new Date() }, dataDir: opened.dataDir });
  expect(ollama.abortedLoads()).toBe(0);
  ollama.finishLoading();
  const { sessionId } = await startModelSession(opened.ask, 'text');
  for await (const { type } of await opened.ask.practice.streamCoachReply({ sessionId }))
    expect(type).not.toBe('loading');
  expect(ollama.paths.filter((path) => path.endsWith('/chat/completions'))).toHaveLength(1);
});

it("a single-response call waits beyond the connection's idle timeout", async () => {
  expect((await opened.ask.coach.offer()).coach).toMatchObject({ firstByteMs: 20_000 });
  ollama.setReply(JSON.stringify({ translation: 'Guten Morgen.' }));
  const translated = opened.ask.practice.translate({ text: 'Good morning.', language: 'German' });
  await ollama.firstRequest;
  setTimeout(() => ollama.finishLoading(), 1_200);
  expect(await translated).toEqual({ text: 'Guten Morgen.' });
});
