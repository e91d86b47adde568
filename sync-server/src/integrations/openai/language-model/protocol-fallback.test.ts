/** Self-hosted servers, each rejecting or ignoring what the real one does; `shared/design/real-services.md` names the sources. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRequest, askModel, modelAt } from './test-kit/ask-model.ts';

type Body = Record<string, unknown>;
interface Call {
  path: string;
  body: Body;
}

const schema = z.object({ reply: z.string(), isFinished: z.boolean() });
const VALUE = { reply: 'Yes.', isFinished: false };

const sse = (events: readonly object[]): Response =>
  new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const refusal = (message: string): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', code: null } }, { status: 400 });

const overResponses = (text: string, { isCut = false } = {}): Response =>
  sse([
    ...(text === '' ? [] : [{ type: 'response.output_text.delta', delta: text }]),
    isCut
      ? { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } }
      : { type: 'response.completed', response: {} },
  ]);
const overChat = (text: string): Response =>
  sse([{ choices: [{ delta: { content: text } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }]);

function startServer(answer: (call: Call, number: number) => Response) {
  const calls: Call[] = [];
  const fetch = async (url: unknown, init?: { body?: unknown }): Promise<Response> => {
    if (typeof init?.body !== 'string') throw new Error('the request has no body');
    const call = { path: new URL(String(url)).pathname, body: JSON.parse(init.body) as Body };
    calls.push(call);
    return answer(call, calls.length);
  };
  const model = modelAt(
    { url: 'http://192.168.1.20:8080/v1', key: '' },
    { model: 'qwen3:8b', isSelfHosted: true, fetch },
  );
  return { model, calls };
}

const isResponses = ({ path }: Call): boolean => path.endsWith('/responses');

describe('a self-hosted server', () => {
  it('is asked not to reason, and asked without that when it refuses', async () => {
    const { model, calls } = startServer(({ body }) =>
      'reasoning' in body ? refusal('unknown field: reasoning') : overResponses('Good morning.'),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await askModel(model, aRequest())).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(calls.map(({ body }) => body['reasoning'])).toEqual([{ effort: 'none' }, undefined, undefined]);
  });

  it('is asked over chat completions once it rejects Responses', async () => {
    const { model, calls } = startServer((call) =>
      isResponses(call) ? refusal("Cannot determine type of 'item'") : overChat('Good morning.'),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await askModel(model, aRequest())).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(calls.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
  });

  it('falls back to chat completions even after Responses worked', async () => {
    const { model, calls } = startServer((call, number) =>
      isResponses(call) && number > 1 ? refusal("Cannot determine type of 'item'") : answerAs(call, 'Hello.'),
    );
    await askModel(model, aRequest());
    expect(await askModel(model, aRequest())).toMatchObject({ text: 'Hello.', thrown: null });
    expect(calls.at(-1)?.path).toBe('/v1/chat/completions');
  });

  it('gets no fallback for other errors and reports the first rejection', async () => {
    const { model, calls } = startServer(() => Response.json({ error: { message: 'x', code: null } }, { status: 401 }));
    expect((await askModel(model, aRequest())).thrown).toMatchObject({ reason: 'key_refused' });
    expect(calls).toHaveLength(1);
    const all = startServer(() => refusal('the context is too long'));
    expect((await askModel(all.model, aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(all.calls).toHaveLength(4);
  });

  it('uses chat completions when it ignores the format over Responses', async () => {
    const { model, calls } = startServer((call) =>
      isResponses(call) ? overResponses('Sure, I can do that.') : overChat(JSON.stringify(VALUE)),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await model.structured({ ...aRequest(), name: 'turn', schema })).toEqual({ value: VALUE });
    expect(calls.map(isResponses)).toEqual([true, false, false]);
    expect(calls.at(-1)?.body).toMatchObject({ response_format: { type: 'json_schema' } });
    expect(await askModel(model, aRequest())).toMatchObject({ thrown: null });
    expect(calls.map(isResponses).at(-1)).toBe(true);
  });

  it('never passes reasoning on as speech', async () => {
    const { model } = startServer(() => overResponses('<think>\nA landlady would agree.\n</think>\n\nOf course.'));
    expect(await askModel(model, aRequest())).toMatchObject({ text: 'Of course.', thrown: null });
  });

  it('retries with a higher limit when reasoning used it up', async () => {
    const { model, calls } = startServer((_, number) =>
      number === 1 ? overResponses('', { isCut: true }) : overResponses('Of course.'),
    );
    expect(await askModel(model, aRequest())).toMatchObject({ text: 'Of course.', thrown: null });
    const [first, second] = calls.map(({ body }) => Number(body['max_output_tokens']));
    expect(second).toBeGreaterThan((first ?? 0) + 2_000);
  });

  it('parses structured output that a limit truncated', async () => {
    const { model, calls } = startServer(() =>
      overResponses('{"isFinished":false,"reply":"Yes, that is fi', { isCut: true }),
    );
    expect(await model.structured({ ...aRequest(), name: 'turn', schema })).toEqual({
      value: { reply: 'Yes, that is fi', isFinished: false },
    });
    expect(calls).toHaveLength(1);
  });
});

describe('OpenAI', () => {
  it('gets no fallback when it rejects a request', async () => {
    const calls: string[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      calls.push(String(url));
      return refusal('Unsupported value');
    };
    const model = modelAt({ url: 'http://openai.test/v1', key: 'k' }, { fetch });
    expect((await askModel(model, aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(calls).toHaveLength(1);
  });
});

const answerAs = (call: Call, text: string): Response => (isResponses(call) ? overResponses(text) : overChat(text));
