import { CoachOffer } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aWish } from '../integrations/openai/realtime/test-kit/talk.ts';
import { startRealtimeTwin } from '../integrations/openai/realtime/twin/index.ts';
import { startOpenAiTwin } from '../integrations/openai/twin/index.ts';
import { openDatabase } from '../db/client.ts';
import { registerDevice, startServer } from '../test-kit/server.ts';
import { readConfig } from './config.ts';
import { connectServices } from './connect-services.ts';

/** What devices are told of a server that is configured so. */
async function offeredBy(environment: Record<string, string>): Promise<CoachOffer> {
  const connected = await connectServices(readConfig(environment));
  const ai = { ...connected, dailyLimitUsd: null, countsMinutes: false };
  const server = await startServer(await openDatabase({ type: 'memory' }), { ai });
  try {
    const { token } = await registerDevice(server);
    const { body } = await server.send({
      method: 'GET',
      url: '/v1/coach',
      headers: { authorization: `Bearer ${token}` },
    });
    return CoachOffer.parse(body);
  } finally {
    await server.close();
  }
}

const NOBODY: CoachOffer = { coach: null, transcriber: null, scorer: null, voice: null, realtime: null };

it('a call is written down by the model that is configured for it', async () => {
  const twin = await startRealtimeTwin();
  const { realtime } = await connectServices(
    readConfig({
      OPENAI_API_KEY: twin.key,
      OPENAI_BASE_URL: twin.url,
      OPENAI_MODEL: 'thinks',
      OPENAI_REALTIME_MODEL: 'listens',
      OPENAI_TRANSCRIBE_MODEL: 'writes',
    }),
  );
  const session = await realtime?.voice.open(aWish(), { hear: () => undefined, signal: new AbortController().signal });
  await session?.close();
  const update = twin.sessions[0]?.received.find(({ type }) => type === 'session.update');
  await twin.close();
  expect(update).toMatchObject({
    session: { model: 'listens', audio: { input: { transcription: { model: 'writes' } } } },
  });
});

it('a server of one’s own is asked in the form that it understands', async () => {
  const twin = await startOpenAiTwin({ dialect: 'llama.cpp' });
  const { services } = await connectServices(readConfig({ OPENAI_BASE_URL: twin.url, OPENAI_MODEL: 'qwen3:8b' }));
  const schema = z.object({ isFinished: z.boolean() });
  const { signal } = new AbortController();
  const question = { purpose: 'judge', instructions: 'Judge.', messages: [], maxOutputTokens: 100, signal } as const;
  const answer = services.coach?.model.structured({ ...question, name: 'judgement', schema });
  await expect(answer).resolves.toEqual({ value: { isFinished: expect.any(Boolean) } });
  await twin.close();
});

describe('who is offered', () => {
  it('is nobody where nobody is configured', async () => {
    expect(await offeredBy({})).toEqual(NOBODY);
  });

  it('is all that OpenAI has, with a key alone', async () => {
    const where = 'openai';
    expect(await offeredBy({ OPENAI_API_KEY: 'sk-test' })).toEqual({
      ...NOBODY,
      coach: { where, name: 'gpt-5-mini' },
      transcriber: { where, name: 'gpt-4o-mini-transcribe' },
      voice: { where, name: 'gpt-4o-mini-tts' },
      realtime: { where, name: 'gpt-realtime' },
    });
  });

  it('is OpenAI in a region of its own, by its address', async () => {
    const regional = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' };
    expect((await offeredBy({ ...regional, OPENAI_MODEL: 'gpt-5-mini' })).coach).toEqual({
      where: 'openai',
      name: 'gpt-5-mini',
    });
    const other = { ...regional, OPENAI_BASE_URL: 'https://203.0.113.9/v1' };
    expect((await offeredBy({ ...other, OPENAI_MODEL: 'gpt-5-mini' })).coach?.where).toBe('other');
  });

  it('is what a server of one’s own is said to have', async () => {
    const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'llama3.3' };
    // Its model may have to be loaded first.
    const coach = { where: 'own', name: 'llama3.3', firstByteMs: 120_000 } as const;
    expect(await offeredBy(own)).toEqual({ ...NOBODY, coach });
    expect(await offeredBy({ ...own, OPENAI_REALTIME_MODEL: 'listens' })).toEqual({
      ...NOBODY,
      coach,
      realtime: { where: 'own', name: 'listens' },
    });
  });
});

describe('how long an answer may take to begin', () => {
  const firstByteMs = async (environment: Record<string, string>): Promise<number | null | undefined> =>
    (await connectServices(readConfig({ OPENAI_MODEL: 'llama3.3', ...environment }))).services.coach?.firstByteMs;

  it('is two minutes of a model that is near, and the usual of one that is far', async () => {
    expect(await firstByteMs({ OPENAI_BASE_URL: 'http://192.168.1.20:8080/v1' })).toBe(120_000);
    expect(await firstByteMs({ OPENAI_BASE_URL: 'https://203.0.113.9/v1' })).toBeNull();
    expect(await firstByteMs({ OPENAI_API_KEY: 'sk-test' })).toBeNull();
  });

  it('is what is configured, within what the client allows', async () => {
    const near = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' };
    expect(await firstByteMs({ ...near, OPENAI_FIRST_BYTE_TIMEOUT_S: '240' })).toBe(240_000);
    const far = { OPENAI_BASE_URL: 'https://203.0.113.9/v1', OPENAI_FIRST_BYTE_TIMEOUT_S: '30' };
    expect(await firstByteMs(far)).toBe(30_000);
    await expect(firstByteMs({ ...near, OPENAI_FIRST_BYTE_TIMEOUT_S: '900' })).rejects.toThrow(
      /OPENAI_FIRST_BYTE_TIMEOUT_S/,
    );
  });
});
