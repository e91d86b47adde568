import { CoachOffer } from '@parley/contract';
import { describe, expect, it } from 'vitest';
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

  it('is what a server of one’s own is said to have', async () => {
    const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'llama3.3' };
    const coach = { where: 'own', name: 'llama3.3' } as const;
    expect(await offeredBy(own)).toEqual({ ...NOBODY, coach });
    expect(await offeredBy({ ...own, OPENAI_REALTIME_MODEL: 'listens' })).toEqual({
      ...NOBODY,
      coach,
      realtime: { where: 'own', name: 'listens' },
    });
  });
});
