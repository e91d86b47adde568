/** A local model as coach: offered, chosen, kept after a restart, and removed. */
import type { LocalModel } from '@parley/contract';
import { createOpenAiModel } from '@parley/sync-server/openai';
import { type LoadingServer, startLoadingServer } from '@parley/fakes/openai-compatible/loading-server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../store/index.ts';
import { streamCoach, startModelSession } from '../test-kit/model-coach-server.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';
import { openHost } from '../test-kit/open-host.ts';

const LLAMA: LocalModel = { provider: 'ollama', model: 'llama3.3:latest' };

let ollama: LoadingServer;
let server: TestServer;
let installed: LocalModel[] = [LLAMA];
/** The server caches the list of installed models for some seconds, which also affects a test that is retried. */
let modelCount = 0;
const aNewModel = (): LocalModel => ({ ...LLAMA, model: `new:${(modelCount += 1)}` });
beforeEach(() => {
  installed = [LLAMA];
});
beforeAll(async () => {
  ollama = await startLoadingServer();
  ollama.finishLoading();
  const access = { apiKey: '', baseUrl: ollama.url };
  server = await startServer({
    ai: {
      services: { coach: null, transcriber: null, assessor: null, voice: null },
      local: {
        findModels: async () => ({ coaches: installed, transcribers: [] }),
        createCoach: ({ model }) => ({
          where: 'this_computer',
          model: createOpenAiModel({ ...access, model, isSelfHosted: true, loadsModel: true }),
          firstByteMs: 20_000,
        }),
        createTranscriber: () => {
          throw new Error('no transcriber is installed');
        },
      },
      dailyLimitUsd: null,
      isMetered: false,
    },
  });
});
afterAll(async () => {
  await server.close();
  await ollama.close();
});

it('uses a local model only after the learner chooses it, until they remove it', async () => {
  const clock = { now: () => new Date() };
  const laptop = await openHost({ serverUrl: server.url, clock });
  await laptop.ask.sync.run();
  expect(await laptop.ask.coach.local()).toEqual({
    isPossible: true,
    coaches: expect.arrayContaining([LLAMA]),
    transcribers: [],
  });
  expect((await laptop.ask.coach.offer()).coach).toBeNull();
  await laptop.ask.coach.warmUp();
  expect(ollama.paths).toEqual([]);

  await laptop.ask.settings.updateDevice({ localCoach: LLAMA });
  expect((await laptop.ask.coach.offer()).coach).toMatchObject({ where: 'this_computer', name: LLAMA.model });
  const { sessionId } = await startModelSession(laptop.ask, 'text');
  await streamCoach(laptop.ask, sessionId);
  expect((await laptop.ask.practice.session({ sessionId })).turns).toMatchObject([{ text: 'Good morning.' }]);
  await laptop.host.close();

  const again = await openHost({ serverUrl: server.url, clock, dataDir: laptop.dataDir });
  expect((await again.ask.coach.offer()).coach).toMatchObject({ name: LLAMA.model });
  await again.ask.settings.updateDevice({ localCoach: null });
  expect((await again.ask.coach.offer()).coach).toBeNull();
  await again.host.close();
});

function aClock(): Clock & { advance: (ms: number) => void } {
  let nowMs = Date.now();
  return { now: () => new Date(nowMs), advance: (ms) => void (nowMs += ms) };
}

/** The learner has chosen a model that has been uninstalled. */
async function openWithMissingModel(clock: Clock) {
  const added = aNewModel();
  const laptop = await openHost({ serverUrl: server.url, clock });
  await laptop.ask.sync.run();
  await laptop.ask.settings.updateDevice({ localCoach: added });
  expect(await laptop.ask.coach.offer()).toMatchObject({ coach: null, missing: ['coach'] });
  return { laptop, added };
}

it('reports a deleted model as missing, and keeps the choice', async () => {
  const clock = aClock();
  const { laptop, added } = await openWithMissingModel(clock);
  expect((await laptop.ask.settings.read()).device.localCoach).toEqual(added);
  installed = [LLAMA, added];
  clock.advance(10_000);
  await expect
    .poll(async () => {
      clock.advance(10_000);
      return (await laptop.ask.coach.offer()).coach?.name;
    })
    .toBe(added.model);
  await laptop.host.close();
});

it('offers a model as soon as it is installed, although the clock was set back', async () => {
  const clock = aClock();
  const { laptop, added } = await openWithMissingModel(clock);
  installed = [LLAMA, added];
  clock.advance(-2 * 3_600_000);
  await expect
    .poll(async () => {
      clock.advance(-10_000);
      return (await laptop.ask.coach.offer()).coach?.name;
    })
    .toBe(added.model);
  await laptop.host.close();
});
