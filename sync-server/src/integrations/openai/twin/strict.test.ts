/** The twin refuses what OpenAI refuses, and the adapters ask nothing that it would refuse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aWish, talkWith, voiceAt } from '../realtime/test-kit/talk.ts';
import { eventProblem } from '../schemas/index.ts';
import { createOpenAiSynthesiser } from '../synthesiser.ts';
import { asked, hear, modelAt } from '../test-kit/asked.ts';
import { createOpenAiTranscriber } from '../transcriber.ts';
import { type OpenAiTwin, requestProblem, startOpenAiTwin } from './index.ts';

let twin: OpenAiTwin;
beforeAll(async () => {
  twin = await startOpenAiTwin({ realtime: { speed: 20 } });
});
afterAll(() => twin.close());

const send = async (path: string, body: object): Promise<{ status: number; error: unknown }> => {
  const response = await fetch(`${twin.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${twin.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, error: text.startsWith('{"error"') ? JSON.parse(text).error : null };
};

const input = 'Hello there!';
const messages = [{ role: 'user', content: input }];
const spoken = { input, response_format: 'pcm' };

describe('a model', () => {
  const refusals: [what: string, path: string, body: object, code: string, param: string][] = [
    [
      'that reasons and max_tokens',
      '/chat/completions',
      { model: 'o4-mini', messages, max_tokens: 9 },
      'unsupported_parameter',
      'max_tokens',
    ],
    [
      'that reasons and a temperature',
      '/responses',
      { model: 'gpt-5-mini', input, temperature: 0.2 },
      'unsupported_parameter',
      'temperature',
    ],
    [
      'that does not reason and an effort',
      '/responses',
      { model: 'gpt-4o-mini', input, reasoning: { effort: 'low' } },
      'unsupported_parameter',
      'reasoning.effort',
    ],
    [
      'gpt-5.1 and effort minimal',
      '/responses',
      { model: 'gpt-5.1', input, reasoning: { effort: 'minimal' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'gpt-5-mini and effort none',
      '/responses',
      { model: 'gpt-5-mini', input, reasoning: { effort: 'none' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'gpt-5-pro and effort low',
      '/responses',
      { model: 'gpt-5-pro', input, reasoning: { effort: 'low' } },
      'unsupported_value',
      'reasoning.effort',
    ],
    [
      'o4-mini and effort minimal',
      '/chat/completions',
      { model: 'o4-mini', messages, reasoning_effort: 'minimal' },
      'unsupported_value',
      'reasoning_effort',
    ],
    [
      'a voice that nobody has',
      '/audio/speech',
      { model: 'gpt-4o-mini-tts', ...spoken, voice: 'marta' },
      'invalid_value',
      'voice',
    ],
    [
      'tts-1 and a newer voice',
      '/audio/speech',
      { model: 'tts-1', ...spoken, voice: 'marin' },
      'invalid_value',
      'voice',
    ],
    [
      'tts-1 and instructions',
      '/audio/speech',
      { model: 'tts-1', ...spoken, voice: 'nova', instructions: 'x' },
      'unsupported_parameter',
      'instructions',
    ],
    ['no input', '/responses', { model: 'gpt-4o-mini', input: [] }, 'missing_required_parameter', 'input'],
  ];
  it.each(refusals)('%s do not go together', async (_what, path, body, code, param) => {
    expect(await send(path, body)).toMatchObject({ status: 400, error: { code, param } });
  });

  it.each([
    ['/responses', { model: 'gpt-5.1', input, reasoning: { effort: 'none' }, temperature: 0.2 }],
    ['/responses', { model: 'gpt-5-mini', input, reasoning: { effort: 'minimal' } }],
    ['/chat/completions', { model: 'gpt-4o-mini', messages, max_tokens: 100, temperature: 0.2 }],
    ['/chat/completions', { model: 'o4-mini', messages, max_completion_tokens: 4_000, reasoning_effort: 'low' }],
    ['/audio/speech', { model: 'gpt-4o-mini-tts', ...spoken, voice: 'marin', instructions: 'x' }],
  ])('takes over %s what goes together: %j', async (path, body) => {
    expect((await send(path, body)).status).toBe(200);
  });
});

describe('the realtime twin', () => {
  const converse = async (update: object): Promise<unknown> => {
    const socket = new WebSocket(`${twin.url.replace('http', 'ws')}/realtime?model=gpt-realtime`, {
      headers: { authorization: `Bearer ${twin.key}` },
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
    ["the beta's modalities", session({ modalities: ['audio'] }), 'unknown_parameter', 'session.modalities'],
    [
      'a voice of speech alone',
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
      'an effort of the first generation',
      session({ reasoning: { effort: 'low' } }),
      'unsupported_parameter',
      'session.reasoning.effort',
    ],
    ['an unknown event', { type: 'session.improve', event_id: 'e1' }, 'invalid_value', 'type'],
  ])('refuses %s', async (_what, update, code, param) => {
    expect(await converse(update)).toMatchObject({ type: 'error', error: { code, param, event_id: 'e1' } });
  });

  it('takes what the service takes', async () => {
    const update = session({ audio: { output: { voice: 'marin', speed: 1.5 } } });
    expect(await converse(update)).toMatchObject({ type: 'session.updated' });
  });
});

describe('a question to a model that reasons', () => {
  it.each([
    ['gpt-5-mini', 0],
    ['gpt-5.1', 0],
    ['gpt-5.4', 0],
    ['gpt-5.5', 0],
    ['gpt-5.1-chat-latest', 0],
    ['gpt-5.5-pro', 600],
    ['o4-mini', 150],
  ])('%s is asked once, with as little thought as it can and room for that', async (model, thought) => {
    twin.play({ does: 'answer', text: 'Good morning.' });
    const { used, text, thrown } = await hear(modelAt(twin, { model }), asked({ maxOutputTokens: 60 }));
    expect({ text, thrown }).toEqual({ text: 'Good morning.', thrown: null });
    // What is thought costs as much as what is said.
    expect(used.map(({ output }) => output)).toEqual([thought + 4]);
  });
});

describe('what the adapters ask', () => {
  type Body = Record<string, unknown>;
  const Form = z.object({ reply: z.string(), score: z.number().int() });
  /** Anything may be named in these: the caller's own JSON schemas. */
  const FREE = /(^|\.)(schema|parameters)(\.|$)/;

  async function everyRequest(): Promise<[path: string, body: Body][]> {
    const signal = new AbortController().signal;
    const access = { apiKey: twin.key, baseUrl: twin.url };
    const already = twin.calls.length;
    for (const model of ['gpt-4o-mini', 'gpt-5-mini', 'gpt-5.1', 'gpt-5.4', 'gpt-5.5', 'gpt-5.5-pro', 'o4-mini']) {
      expect(await hear(modelAt(twin, { model }), asked()), model).toMatchObject({ thrown: null });
      await modelAt(twin, { model }).structured({ ...asked(), name: 'turn', schema: Form });
    }
    const older = await startOpenAiTwin({ lacks: { responses: 404 } });
    for (const model of ['gpt-4o-mini', 'gpt-5-mini', 'o4-mini']) {
      expect(await hear(modelAt(older, { model }), asked()), model).toMatchObject({ thrown: null });
      await modelAt(older, { model }).structured({ ...asked(), name: 'turn', schema: Form });
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
      pcm,
      signal,
      heard: async () => undefined,
    });
    await voiceAt(twin).mintSecret(aWish(), signal);
    const calls = [...twin.calls.slice(already), ...older.calls];
    await older.close();
    return calls.filter(({ path }) => path !== '/v1/realtime').map(({ path, body }) => [path, body]);
  }

  /** Each object in it, with the path at which it stands. */
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

  it('is valid by OpenAI’s document, and no longer so with an unknown name anywhere', async () => {
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

  it('is valid over Realtime too', async () => {
    const { url, key, realtime } = twin;
    const messages = [
      { role: 'learner' as const, text: 'Begin.' },
      { role: 'coach' as const, text: 'Good morning.' },
    ];
    const talk = await talkWith({ url, key, sessions: realtime?.sessions ?? [] }, { messages });
    talk.session.speak();
    await talk.nextLine();
    await talk.session.close();
    const received = structuredClone(talk.twin.received) as unknown as Body[];
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
