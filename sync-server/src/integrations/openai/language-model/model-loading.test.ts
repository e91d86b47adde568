import { ServiceFailure } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiModel, type OpenAiModelOptions } from './language-model.ts';
import { createModelLoading } from './model-loading.ts';
import { createOpenAiClient } from '../connection/client.ts';
import { aRequest, askModel, PATIENT_TIMEOUTS } from './test-kit/ask-model.ts';
import { type LoadingServer, startLoadingServer } from '@parley/fakes/openai-compatible/loading-server.ts';

const running: LoadingServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function startServer(options: Parameters<typeof startLoadingServer>[0] = {}): Promise<LoadingServer> {
  const server = await startLoadingServer(options);
  running.push(server);
  return server;
}

const selfHostedModel = (baseUrl: string, options: Partial<OpenAiModelOptions> = {}) =>
  createOpenAiModel({
    apiKey: '',
    baseUrl,
    model: 'llama3.3',
    isSelfHosted: true,
    loadsModel: true,
    timeouts: PATIENT_TIMEOUTS,
    ...options,
  });

describe('a self-hosted model', () => {
  it('keeps loading when the learner who asked leaves', async () => {
    const server = await startServer();
    const model = selfHostedModel(server.url);
    const abortController = new AbortController();
    const first = askModel(model, aRequest({ signal: abortController.signal }));
    await server.firstRequest;
    expect(model.loading?.isUnderWay()).toBe(true);
    abortController.abort(new Error('left the briefing'));
    expect((await first).thrown).toMatchObject({ message: 'left the briefing' });
    expect(server.abortedLoads()).toBe(0);
    const second = askModel(model, aRequest());
    server.finishLoading();
    expect(await second).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(model.loading?.isUnderWay()).toBe(false);
    // One request loaded the model for both.
    expect(server.paths).toEqual(['/v1/chat/completions', '/v1/responses']);
  });

  it('is loaded once for two concurrent requests', async () => {
    const server = await startServer();
    const model = selfHostedModel(server.url);
    const both = [askModel(model, aRequest()), askModel(model, aRequest())];
    await server.firstRequest;
    server.finishLoading();
    for (const outcome of await Promise.all(both)) expect(outcome.text).toBe('Good morning.');
    expect(server.paths.filter((path) => path.endsWith('/chat/completions'))).toHaveLength(1);
  });

  it('is loaded again after it was idle', async () => {
    const server = await startServer();
    server.finishLoading();
    let now = 0;
    const loading = createModelLoading({
      client: createOpenAiClient({ apiKey: '', baseUrl: server.url, model: 'llama3.3' }),
      model: 'llama3.3',
      timeouts: PATIENT_TIMEOUTS,
      nowMs: () => now,
    });
    const { signal } = new AbortController();
    await loading.load(signal);
    now += 3 * 60_000;
    loading.markLoaded();
    now += 3 * 60_000;
    await loading.load(signal);
    expect(server.paths).toHaveLength(1);
    now += 5 * 60_000;
    await loading.load(signal);
    expect(server.paths).toHaveLength(2);
  });

  it('is polled while the server answers that it is loading', async () => {
    const server = await startServer({ answersWhileLoading: true });
    const answer = askModel(selfHostedModel(server.url), aRequest());
    await server.firstRequest;
    server.finishLoading();
    expect(await answer).toMatchObject({ text: 'Good morning.', thrown: null });
  });

  it('is unreachable when loading takes too long', async () => {
    const server = await startServer();
    const { thrown } = await askModel(
      selfHostedModel(server.url, { timeouts: { ...PATIENT_TIMEOUTS, firstByteMs: 60 } }),
      aRequest(),
    );
    expect(thrown).toBeInstanceOf(ServiceFailure);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
  });

  it('fails at once without a server and tries again on the next request', async () => {
    const model = selfHostedModel('http://127.0.0.1:9/v1');
    for (let time = 0; time < 2; time += 1)
      expect((await askModel(model, aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
  });
});
