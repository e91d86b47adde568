/** The fake rejects what OpenAI rejects, and the adapters send nothing that it would reject. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRealtimeRequest, startTestSession, realtimeVoiceAt } from './realtime/test-kit/test-session.ts';
import { eventProblem } from '@parley/fakes/openai/schemas/index.ts';
import { createOpenAiSynthesiser } from './speech/synthesiser.ts';
import { aRequest, askModel, modelAt } from './language-model/test-kit/ask-model.ts';
import { createOpenAiTranscriber } from './speech/transcriber.ts';
import { type OpenAiFake, requestProblem, startOpenAiFake } from '@parley/fakes/openai/index.ts';

let fake: OpenAiFake;
beforeAll(async () => {
  fake = await startOpenAiFake({ realtime: { speed: 20 } });
});
afterAll(() => fake.close());

const send = async (path: string, body: object): Promise<{ status: number; error: unknown }> => {
  const response = await fetch(`${fake.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fake.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, error: text.startsWith('{"error"') ? JSON.parse(text).error : null };
};

const input = 'Hello there!';
const messages = [{ role: 'user', content: input }];
const spoken = { input, response_format: 'pcm' };

describe('the model rules', () => {
  const refusals: [what: string, path: string, body: object, code: string, param: string][] = [
    [
      'a reasoning model with max_tokens',
      '/chat/completions',
      { model: 'o4-mini', messages, max_tokens: 9 },
      'unsupported_parameter',
      'max_tokens',
    ],
    [
      'a reasoning model with a temperature',
      '/responses',
      { model: 'gpt-5-mini', input, temperature: 0.2 },
      'unsupported_parameter',
      'temperature',
    ],
    [
      'an effort for a model that does not reason',
      '/responses',
      { model: 'gpt-4o-mini', input, reasoning: { effort: 'low' } },
      'unsupported_parameter',
      'reasoning.effort',
    ],
    [
      'gpt-5.1 with effort minimal',
      '/responses',
      { model: 'gpt-5.1', input, reasoning: { effort: 'minimal' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'gpt-5-mini with effort none',
      '/responses',
      { model: 'gpt-5-mini', input, reasoning: { effort: 'none' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'gpt-5-pro with effort low',
      '/responses',
      { model: 'gpt-5-pro', input, reasoning: { effort: 'low' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'o4-mini with effort minimal',
      '/chat/completions',
      { model: 'o4-mini', messages, reasoning_effort: 'minimal' },
      'unsupported_value',
      'reasoning_effort',
    ],
    [
      'an unknown voice',
      '/audio/speech',
      { model: 'gpt-4o-mini-tts', ...spoken, voice: 'marta' },
      'invalid_value',
      'voice',
    ],
    [
      'tts-1 with a newer voice',
      '/audio/speech',
      { model: 'tts-1', ...spoken, voice: 'marin' },
      'invalid_value',
      'voice',
    ],
    [
      'tts-1 with instructions',
      '/audio/speech',
      { model: 'tts-1', ...spoken, voice: 'nova', instructions: 'x' },
      'unsupported_parameter',
      'instructions',
    ],
    ['no input', '/responses', { model: 'gpt-4o-mini', input: [] }, 'missing_required_parameter', 'input'],
  ];
  it.each(refusals)('reject %s', async (_what, path, body, code, param) => {
    expect(await send(path, body)).toMatchObject({ status: 400, error: { code, param } });
  });

  it.each([
    ['/responses', { model: 'gpt-5.1', input, reasoning: { effort: 'none' }, temperature: 0.2 }],
    ['/responses', { model: 'gpt-5-mini', input, reasoning: { effort: 'minimal' } }],
    ['/chat/completions', { model: 'gpt-4o-mini', messages, max_tokens: 100, temperature: 0.2 }],
    ['/chat/completions', { model: 'o4-mini', messages, max_completion_tokens: 4_000, reasoning_effort: 'low' }],
    ['/audio/speech', { model: 'gpt-4o-mini-tts', ...spoken, voice: 'marin', instructions: 'x' }],
  ])('accept over %s a valid %j', async (path, body) => {
    expect((await send(path, body)).status).toBe(200);
  });
});

describe('the realtime fake', () => {
  const converse = async (update: object): Promise<unknown> => {
    const socket = new WebSocket(`${fake.url.replace('http', 'ws')}/realtime?model=gpt-realtime`, {
      headers: { authorization: `Bearer ${fake.key}` },
    } as unknown as string[]);
    const next = () =>
      new Promise<unknown>((resolve) =>
        socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data))), { once: true }),
      );
    const created = await next();
    expect(created).toMatchObject({ session: { id: expect.any(String), object: 'realtime.session' } });
    socket.send(JSON.stringify(update));
    const answer = await next();
    socket.close();
    return answer;
  };
  const session = (part: object) => ({
    type: 'session.update',
    event_id: 'e1',
    session: { type: 'realtime', ...part },
  });

  it.each([
    ['modalities of the beta', session({ modalities: ['audio'] }), 'unknown_parameter', 'session.modalities'],
    [
      'a voice for speech only',
      session({ audio: { output: { voice: 'nova' } } }),
      'invalid_value',
      'session.audio.output.voice',
    ],
    [
      'a speed of two',
      session({ audio: { output: { speed: 2 } } }),
      'decimal_above_max_value',
      'session.audio.output.speed',
    ],
    [
      'an effort for the first generation',
      session({ reasoning: { effort: 'low' } }),
      'unsupported_parameter',
      'session.reasoning.effort',
    ],
    ['an unknown event', { type: 'session.improve', event_id: 'e1' }, 'invalid_value', 'type'],
  ])('rejects %s', async (_what, update, code, param) => {
    expect(await converse(update)).toMatchObject({ type: 'error', error: { code, param, event_id: 'e1' } });
  });

  it('accepts the requests that the service accepts', async () => {
    const update = session({ audio: { output: { voice: 'marin', speed: 1.5 } } });
    expect(await converse(update)).toMatchObject({ type: 'session.updated' });
  });
});

describe('a request to a reasoning model', () => {
  it.each([
    ['gpt-5-mini', 0],
    ['gpt-5.1', 0],
    ['gpt-5.4', 0],
    ['gpt-5.5', 0],
    ['gpt-5.1-chat-latest', 0],
    ['gpt-5.5-pro', 600],
    ['o4-mini', 150],
  ])('%s is sent once with the least effort', async (model, thought) => {
    fake.play({ does: 'answer', text: 'Good morning.' });
    const { used, text, thrown } = await askModel(modelAt(fake, { model }), aRequest({ maxOutputTokens: 60 }));
    expect({ text, thrown }).toEqual({ text: 'Good morning.', thrown: null });
    // Reasoning tokens cost as much as text.
    expect(used.map(({ output }) => output)).toEqual([thought + 4]);
  });
});

describe('the requests of the adapters', () => {
  type Body = Record<string, unknown>;
  const Form = z.object({ reply: z.string(), score: z.number().int() });
  /** Any name is allowed in these, because they hold the caller's own JSON schemas. */
  const FREE = /(^|\.)(schema|parameters)(\.|$)/;

  async function everyRequest(): Promise<[path: string, body: Body][]> {
    const signal = new AbortController().signal;
    const access = { apiKey: fake.key, baseUrl: fake.url };
    const already = fake.calls.length;
    for (const model of ['gpt-4o-mini', 'gpt-5-mini', 'gpt-5.1', 'gpt-5.4', 'gpt-5.5', 'gpt-5.5-pro', 'o4-mini']) {
      expect(await askModel(modelAt(fake, { model }), aRequest()), model).toMatchObject({ thrown: null });
      await modelAt(fake, { model }).structured({ ...aRequest(), name: 'turn', schema: Form });
    }
    const older = await startOpenAiFake({ lacks: { responses: 404 } });
    for (const model of ['gpt-4o-mini', 'gpt-5-mini', 'o4-mini']) {
      expect(await askModel(modelAt(older, { model }), aRequest()), model).toMatchObject({ thrown: null });
      await modelAt(older, { model }).structured({ ...aRequest(), name: 'turn', schema: Form });
    }
    for (const gender of ['female', 'male'] as const)
      for (const locale of ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-IE'])
        for (const model of ['gpt-4o-mini-tts', 'tts-1']) {
          const voice = { gender, locale, rate: 1, pitch: 1 };
          const said = createOpenAiSynthesiser({ ...access, model }).speak({
            text: 'Hello.',
            voice,
            signal,
            spoken: async () => undefined,
          });
          let bytes = 0;
          for await (const piece of said) bytes += piece.byteLength;
          expect(bytes).toBeGreaterThan(0);
        }
    const pcm = new Uint8Array(32_000).map((_, index) => (index % 2 === 0 ? 0 : 8));
    await createOpenAiTranscriber({ ...access, model: 'gpt-4o-mini-transcribe' }).transcribe({
      pcm: [pcm],
      signal,
      heard: async () => undefined,
    });
    await realtimeVoiceAt(fake).createClientSecret(aRealtimeRequest(), signal);
    const calls = [...fake.calls.slice(already), ...older.calls];
    await older.close();
    return calls.filter(({ path }) => path !== '/v1/realtime').map(({ path, body }) => [path, body]);
  }

  /** Lists every object in the value with its path. */
  function objectsIn(
    value: unknown,
    at = '',
  ): { at: string; put: (name: string) => void; take: (name: string) => void }[] {
    if (Array.isArray(value)) return value.flatMap((one, index) => objectsIn(one, `${at}[${index}]`));
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
    const object = value as Body;
    const own = {
      at,
      put: (name: string) => void (object[name] = 1),
      take: (name: string) => void delete object[name],
    };
    return [
      own,
      ...Object.entries(object).flatMap(([name, part]) => objectsIn(part, at === '' ? name : `${at}.${name}`)),
    ];
  }

  it('match OpenAI’s document and fail with any unknown name added', async () => {
    let planted = 0;
    for (const [path, given] of await everyRequest()) {
      const { file, ...rest } = given;
      const body: Body = { ...structuredClone(rest), ...(file === undefined ? {} : { file }) };
      expect(requestProblem(path, body), path).toBeNull();
      for (const { at, put, take } of objectsIn(body)) {
        if (FREE.test(at)) continue;
        put('unheard_of');
        planted += 1;
        expect(requestProblem(path, body), `${path} ${at}`).toMatchObject({ code: 'unknown_parameter' });
        take('unheard_of');
      }
    }
    expect(planted).toBeGreaterThan(150);
  });

  it('are also valid over Realtime', async () => {
    const { url, key, realtime } = fake;
    const messages = [
      { role: 'learner' as const, text: 'Begin.' },
      { role: 'coach' as const, text: 'Good morning.' },
    ];
    const testSession = await startTestSession({ url, key, sessions: realtime?.sessions ?? [] }, { messages });
    testSession.session.speak();
    await testSession.nextUtterance();
    await testSession.session.close();
    const received = structuredClone(testSession.fake.received) as unknown as Body[];
    expect(new Set(received.map((event) => event['type'])).size).toBeGreaterThanOrEqual(3);
    let planted = 0;
    for (const event of received) {
      expect(eventProblem('RealtimeClientEvent', event)).toBeNull();
      for (const { at, put, take } of objectsIn(event)) {
        if (FREE.test(at)) continue;
        put('unheard_of');
        planted += 1;
        expect(eventProblem('RealtimeClientEvent', event), `${String(event['type'])} ${at}`).toMatchObject({
          code: 'unknown_parameter',
        });
        take('unheard_of');
      }
    }
    expect(planted).toBeGreaterThan(12);
  });
});
