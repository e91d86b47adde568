import { CoachAvailability, type LocalModelChoice, LocalModels, formatLocalModelChoice } from '@parley/contract';
import { afterEach, describe, expect, it } from 'vitest';
import type { AiServices } from '../../coach/index.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { createOpenAiModel, createOpenAiTranscriber } from '../../integrations/openai/index.ts';
import { registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';
import { readConfig } from '../../compose/config/read-config.ts';

const LLAMA = { provider: 'ollama', model: 'llama3.3:latest' } as const;
const WHISPER = { provider: 'lm_studio', model: 'whisper-large-v3' } as const;
const NONE: AiServices = { coach: null, transcriber: null, assessor: null, voice: null };
const accessTo = (model: string) => ({ apiKey: '', baseUrl: 'http://127.0.0.1:9/v1', model });
const configured: AiServices['coach'] = { where: 'own', model: createOpenAiModel(accessTo('of the school')) };

let server: TestServer;
let laptop: TestDevice;
async function start(services: AiServices = NONE): Promise<void> {
  server = await startServer(await openMemoryDatabase(), {
    ai: {
      services,
      local: {
        findModels: async () => ({ coaches: [LLAMA], transcribers: [WHISPER] }),
        createCoach: ({ model }) => ({
          where: 'this_computer',
          model: createOpenAiModel(accessTo(model)),
          firstByteMs: 1,
        }),
        createTranscriber: ({ model }) => ({
          where: 'this_computer',
          transcriber: createOpenAiTranscriber(accessTo(model)),
        }),
      },
      dailyLimitUsd: null,
      isMetered: false,
    },
  });
  laptop = await registerDevice(server);
}

const get = async (url: string, options: { headers?: Record<string, string>; remoteAddress?: string } = {}) => {
  const { headers, ...rest } = options;
  const { body } = await server.send({
    method: 'GET',
    url,
    headers: { host: '127.0.0.1:4810', authorization: `Bearer ${laptop.token}`, ...headers },
    ...rest,
  });
  return body;
};
const listed = async (options?: Parameters<typeof get>[1]) => LocalModels.parse(await get('/v1/coach/local', options));
const offered = async (choice: LocalModelChoice, headers: Record<string, string> = {}) =>
  CoachAvailability.parse(
    await get('/v1/coach', { headers: { 'parley-local-models': formatLocalModelChoice(choice) ?? '', ...headers } }),
  );

const NOTHING = { isPossible: false, coaches: [], transcribers: [] };

describe('models on this machine', () => {
  afterEach(() => server.close());

  it('are listed only for a caller on this machine', async () => {
    await start();
    expect(await listed()).toEqual({ isPossible: true, coaches: [LLAMA], transcribers: [WHISPER] });
    expect(await listed({ headers: { host: 'localhost:4810' } })).toMatchObject({ isPossible: true });
    expect(await listed({ remoteAddress: '192.168.1.30' })).toEqual(NOTHING);
    expect(await listed({ headers: { 'x-forwarded-for': '203.0.113.9' } })).toEqual(NOTHING);
    // A foreign page whose host name points here sends that host name.
    expect(await listed({ headers: { host: 'parley.example' } })).toEqual(NOTHING);
  });

  it('are used only when a local caller has chosen them', async () => {
    await start();
    const chosen = { coach: LLAMA, transcriber: WHISPER };
    expect(await offered({ coach: null, transcriber: null })).toMatchObject({ coach: null, transcriber: null });
    expect(await offered(chosen)).toMatchObject({
      coach: { where: 'this_computer', name: LLAMA.model },
      transcriber: { where: 'this_computer', name: WHISPER.model },
    });
    expect(await offered(chosen, { via: '1.1 proxy' })).toMatchObject({ coach: null, transcriber: null });
    expect(CoachAvailability.parse(await get('/v1/coach'))).toMatchObject({ coach: null });
  });

  it('are named when they are missing', async () => {
    await start();
    const gone = { coach: { ...LLAMA, model: 'deleted' }, transcriber: WHISPER };
    expect(await offered(gone)).toMatchObject({
      coach: null,
      transcriber: { name: WHISPER.model },
      missing: ['coach'],
    });
  });

  it('come after configured services', async () => {
    await start({ ...NONE, coach: configured });
    expect(await listed()).toEqual({ isPossible: true, coaches: [], transcribers: [WHISPER] });
    const { coach, missing } = await offered({ coach: LLAMA, transcriber: null });
    expect(coach).toEqual({ where: 'own', name: 'of the school' });
    expect(missing).toBeUndefined();
  });
});

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ HOST: 'localhost' }, true],
  [{ HOST: '0.0.0.0', PARLEY_INSECURE: '1' }, false],
  [{ LOCAL_MODELS: 'off' }, false],
  [{ NODE_ENV: 'test' }, false],
  [{ NODE_ENV: 'test', LOCAL_MODELS: 'offer' }, true],
])('a server with %o offers local models: %s', (environment, isOffered) => {
  expect(readConfig(environment).offersLocalModels).toBe(isOffered);
});

it('a public server refuses to start with LOCAL_MODELS=offer', () => {
  expect(() => readConfig({ HOST: '0.0.0.0', LOCAL_MODELS: 'offer' })).toThrow(/HOST=127\.0\.0\.1/);
});
