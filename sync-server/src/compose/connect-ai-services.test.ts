import { CoachAvailability } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRealtimeRequest } from '../integrations/openai/realtime/test-kit/test-session.ts';
import { startRealtimeFake } from '@parley/fakes/openai-realtime/index.ts';
import { startOpenAiFake } from '@parley/fakes/openai/index.ts';
import { openMemoryDatabase } from '../../test-kit/memory-database.ts';
import { registerDevice, startServer } from '../../test-kit/server.ts';
import { readConfig } from './config/read-config.ts';
import { connectAiServices } from './connect-ai-services.ts';

/** Returns the offer that devices receive from a server with this environment. */
async function offeredBy(environment: Record<string, string>): Promise<CoachAvailability> {
  const connected = await connectAiServices(readConfig(environment));
  const ai = { ...connected, dailyLimitUsd: null, isMetered: false };
  const server = await startServer(await openMemoryDatabase(), { ai });
  try {
    const { token } = await registerDevice(server);
    const { body } = await server.send({
      method: 'GET',
      url: '/v1/coach',
      headers: { authorization: `Bearer ${token}` },
    });
    return CoachAvailability.parse(body);
  } finally {
    await server.close();
  }
}

const NOTHING_OFFERED: CoachAvailability = {
  coach: null,
  transcriber: null,
  scorer: null,
  voice: null,
  realtime: null,
};

it('a call is transcribed by the configured model', async () => {
  const fake = await startRealtimeFake();
  const { realtime } = await connectAiServices(
    readConfig({
      OPENAI_API_KEY: fake.key,
      OPENAI_BASE_URL: fake.url,
      OPENAI_MODEL: 'thinks',
      OPENAI_REALTIME_MODEL: 'listens',
      OPENAI_TRANSCRIBE_MODEL: 'writes',
    }),
  );
  const session = await realtime?.voice.open(aRealtimeRequest(), {
    onEvent: () => undefined,
    signal: new AbortController().signal,
  });
  await session?.close();
  const update = fake.sessions[0]?.received.find(({ type }) => type === 'session.update');
  await fake.close();
  expect(update).toMatchObject({
    session: { model: 'listens', audio: { input: { transcription: { model: 'writes' } } } },
  });
});

it('a self-hosted server is asked in the protocol it supports', async () => {
  const fake = await startOpenAiFake({ dialect: 'llama.cpp' });
  const { services } = await connectAiServices(readConfig({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: 'qwen3:8b' }));
  const schema = z.object({ isFinished: z.boolean() });
  const { signal } = new AbortController();
  const question = { purpose: 'judge', instructions: 'Judge.', messages: [], maxOutputTokens: 100, signal } as const;
  const answer = services.coach?.model.structured({ ...question, name: 'judgement', schema });
  await expect(answer).resolves.toEqual({ value: { isFinished: expect.any(Boolean) } });
  await fake.close();
});

describe('the coach offer', () => {
  it('is empty when nothing is configured', async () => {
    expect(await offeredBy({})).toEqual(NOTHING_OFFERED);
  });

  it('includes every OpenAI service with a key alone', async () => {
    const where = 'openai';
    expect(await offeredBy({ OPENAI_API_KEY: 'sk-test' })).toEqual({
      ...NOTHING_OFFERED,
      coach: { where, name: 'gpt-5-mini' },
      transcriber: { where, name: 'gpt-4o-mini-transcribe' },
      voice: { where, name: 'gpt-4o-mini-tts' },
      realtime: { where, name: 'gpt-realtime' },
    });
  });

  it('recognises a regional OpenAI address', async () => {
    const regional = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' };
    expect((await offeredBy({ ...regional, OPENAI_MODEL: 'gpt-5-mini' })).coach).toEqual({
      where: 'openai',
      name: 'gpt-5-mini',
    });
    const other = { ...regional, OPENAI_BASE_URL: 'https://203.0.113.9/v1' };
    expect((await offeredBy({ ...other, OPENAI_MODEL: 'gpt-5-mini' })).coach?.where).toBe('other');
  });

  it('lists the configured services of a self-hosted server', async () => {
    const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'llama3.3' };
    // The model of a self-hosted server may have to be loaded first.
    const coach = { where: 'own', name: 'llama3.3', firstByteMs: 120_000 } as const;
    expect(await offeredBy(own)).toEqual({ ...NOTHING_OFFERED, coach });
    expect(await offeredBy({ ...own, OPENAI_REALTIME_MODEL: 'listens' })).toEqual({
      ...NOTHING_OFFERED,
      coach,
      realtime: { where: 'own', name: 'listens' },
    });
  });
});

describe('the time to the first byte', () => {
  const firstByteMs = async (environment: Record<string, string>): Promise<number | null | undefined> =>
    (await connectAiServices(readConfig({ OPENAI_MODEL: 'llama3.3', ...environment }))).services.coach?.firstByteMs;

  it('is two minutes for a nearby model and the default for a remote one', async () => {
    expect(await firstByteMs({ OPENAI_BASE_URL: 'http://192.168.1.20:8080/v1' })).toBe(120_000);
    expect(await firstByteMs({ OPENAI_BASE_URL: 'https://203.0.113.9/v1' })).toBeNull();
    expect(await firstByteMs({ OPENAI_API_KEY: 'sk-test' })).toBeNull();
  });

  it('can be configured, within the client’s own limit', async () => {
    const near = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' };
    expect(await firstByteMs({ ...near, OPENAI_FIRST_BYTE_TIMEOUT_S: '240' })).toBe(240_000);
    const far = { OPENAI_BASE_URL: 'https://203.0.113.9/v1', OPENAI_FIRST_BYTE_TIMEOUT_S: '30' };
    expect(await firstByteMs(far)).toBe(30_000);
    await expect(firstByteMs({ ...near, OPENAI_FIRST_BYTE_TIMEOUT_S: '900' })).rejects.toThrow(
      /OPENAI_FIRST_BYTE_TIMEOUT_S/,
    );
  });
});
