import { ModelFailure } from '@parley/coach/model';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAiModel, type OpenAiModelOptions } from './language-model.ts';
import { createModelLoading } from './model-loading.ts';
import { connectOpenAi } from './access.ts';
import { asked, hear, PATIENT } from './test-kit/asked.ts';
import { type LoadingServer, startLoadingServer } from './test-kit/loading-server.ts';

const running: LoadingServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function startLoader(options: Parameters<typeof startLoadingServer>[0] = {}): Promise<LoadingServer> {
  const server = await startLoadingServer(options);
  running.push(server);
  return server;
}

const ownModel = (baseUrl: string, options: Partial<OpenAiModelOptions> = {}) =>
  createOpenAiModel({
    apiKey: '',
    baseUrl,
    model: 'llama3.3',
    isOwnServer: true,
    loadsModel: true,
    timeouts: PATIENT,
    ...options,
  });

describe('a model of one’s own', () => {
  it('goes on loading when the learner who asked leaves, and answers the next', async () => {
    const server = await startLoader();
    const model = ownModel(server.url);
    const leaving = new AbortController();
    const first = hear(model, asked({ signal: leaving.signal }));
    await server.asked;
    expect(model.loading?.isUnderWay()).toBe(true);
    leaving.abort(new Error('left the briefing'));
    expect((await first).thrown).toMatchObject({ message: 'left the briefing' });
    expect(server.abortedLoads()).toBe(0);
    const second = hear(model, asked());
    server.finishLoading();
    expect(await second).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(model.loading?.isUnderWay()).toBe(false);
    // One request loaded it for both.
    expect(server.paths).toEqual(['/v1/chat/completions', '/v1/responses']);
  });

  it('is waited for by two questions at once with one load', async () => {
    const server = await startLoader();
    const model = ownModel(server.url);
    const both = [hear(model, asked()), hear(model, asked())];
    await server.asked;
    server.finishLoading();
    for (const outcome of await Promise.all(both)) expect(outcome.text).toBe('Good morning.');
    expect(server.paths.filter((path) => path.endsWith('/chat/completions'))).toHaveLength(1);
  });

  it('is asked at once while it is in memory, and loaded again after a rest', async () => {
    const server = await startLoader();
    server.finishLoading();
    let now = 0;
    const loading = createModelLoading({
      client: connectOpenAi({ apiKey: '', baseUrl: server.url, model: 'llama3.3' }),
      model: 'llama3.3',
      timeouts: PATIENT,
      nowMs: () => now,
    });
    const { signal } = new AbortController();
    await loading.load(signal);
    now += 3 * 60_000;
    loading.answered();
    now += 3 * 60_000;
    await loading.load(signal);
    expect(server.paths).toHaveLength(1);
    now += 5 * 60_000;
    await loading.load(signal);
    expect(server.paths).toHaveLength(2);
  });

  it('that says that it is loading is asked again until it is loaded', async () => {
    const server = await startLoader({ answersWhileLoading: true });
    const answer = hear(ownModel(server.url), asked());
    await server.asked;
    server.finishLoading();
    expect(await answer).toMatchObject({ text: 'Good morning.', thrown: null });
  });

  it('that is not loaded in time cannot be reached', async () => {
    const server = await startLoader();
    const { thrown } = await hear(ownModel(server.url, { timeouts: { ...PATIENT, firstByteMs: 60 } }), asked());
    expect(thrown).toBeInstanceOf(ModelFailure);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
  });

  it('without a server fails at once, and is tried anew with the next question', async () => {
    const model = ownModel('http://127.0.0.1:9/v1');
    for (let time = 0; time < 2; time += 1)
      expect((await hear(model, asked())).thrown).toMatchObject({ reason: 'unreachable' });
  });
});
