/** Servers of one's own, each refusing or ignoring what the real one does: docs in `shared/design/real-services.md` name the sources. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, hear, modelAt } from './test-kit/asked.ts';

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

function serverOf(answer: (call: Call, number: number) => Response) {
  const calls: Call[] = [];
  const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const call = { path: new URL(String(url)).pathname, body: JSON.parse(init?.body as string) as Body };
    calls.push(call);
    return answer(call, calls.length);
  };
  const model = modelAt(
    { url: 'http://192.168.1.20:8080/v1', key: '' },
    { model: 'qwen3:8b', isOwnServer: true, fetch },
  );
  return { model, calls };
}

const isResponses = ({ path }: Call): boolean => path.endsWith('/responses');

describe('a server of one’s own', () => {
  it('is told not to think, and asked without that when it refuses', async () => {
    const { model, calls } = serverOf(({ body }) =>
      'reasoning' in body ? refusal('unknown field: reasoning') : overResponses('Good morning.'),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await hear(model, asked())).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(calls.map(({ body }) => body['reasoning'])).toEqual([{ effort: 'none' }, undefined, undefined]);
  });

  it('is asked over chat completions when it refuses Responses, and from then on at once', async () => {
    const { model, calls } = serverOf((call) =>
      isResponses(call) ? refusal("Cannot determine type of 'item'") : overChat('Good morning.'),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await hear(model, asked())).toMatchObject({ text: 'Good morning.', thrown: null });
    expect(calls.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
  });

  it('is left for chat completions also after it has answered over Responses', async () => {
    const { model, calls } = serverOf((call, number) =>
      isResponses(call) && number > 1 ? refusal("Cannot determine type of 'item'") : answerAs(call, 'Hello.'),
    );
    await hear(model, asked());
    expect(await hear(model, asked())).toMatchObject({ text: 'Hello.', thrown: null });
    expect(calls.at(-1)?.path).toBe('/v1/chat/completions');
  });

  it('is asked no other way when it fails for another reason, and says the first refusal when it refuses all', async () => {
    const { model, calls } = serverOf(() => Response.json({ error: { message: 'x', code: null } }, { status: 401 }));
    expect((await hear(model, asked())).thrown).toMatchObject({ reason: 'key_refused' });
    expect(calls).toHaveLength(1);
    const all = serverOf(() => refusal('the context is too long'));
    expect((await hear(all.model, asked())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(all.calls).toHaveLength(4);
  });

  it('is held to a form over chat completions when it ignores the form over Responses', async () => {
    const { model, calls } = serverOf((call) =>
      isResponses(call) ? overResponses('Sure, I can do that.') : overChat(JSON.stringify(VALUE)),
    );
    for (let time = 0; time < 2; time += 1)
      expect(await model.structured({ ...asked(), name: 'turn', schema })).toEqual({ value: VALUE });
    expect(calls.map(isResponses)).toEqual([true, false, false]);
    expect(calls.at(-1)?.body).toMatchObject({ response_format: { type: 'json_schema' } });
    expect(await hear(model, asked())).toMatchObject({ thrown: null });
    expect(calls.map(isResponses).at(-1)).toBe(true);
  });

  it('never lets a thought be spoken', async () => {
    const { model } = serverOf(() => overResponses('<think>\nA landlady would agree.\n</think>\n\nOf course.'));
    expect(await hear(model, asked())).toMatchObject({ text: 'Of course.', thrown: null });
  });

  it('asks again with more room when a thought used up the limit', async () => {
    const { model, calls } = serverOf((_, number) =>
      number === 1 ? overResponses('', { isCut: true }) : overResponses('Of course.'),
    );
    expect(await hear(model, asked())).toMatchObject({ text: 'Of course.', thrown: null });
    const [first, second] = calls.map(({ body }) => Number(body['max_output_tokens']));
    expect(second).toBeGreaterThan((first ?? 0) + 2_000);
  });

  it('reads a form that a limit of tokens cut off', async () => {
    const { model, calls } = serverOf(() =>
      overResponses('{"isFinished":false,"reply":"Yes, that is fi', { isCut: true }),
    );
    expect(await model.structured({ ...asked(), name: 'turn', schema })).toEqual({
      value: { reply: 'Yes, that is fi', isFinished: false },
    });
    expect(calls).toHaveLength(1);
  });
});

describe('OpenAI', () => {
  it('is not asked another way when it refuses a request', async () => {
    const calls: string[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      calls.push(String(url));
      return refusal('Unsupported value');
    };
    const model = modelAt({ url: 'http://openai.test/v1', key: 'k' }, { fetch });
    expect((await hear(model, asked())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(calls).toHaveLength(1);
  });
});

const answerAs = (call: Call, text: string): Response => (isResponses(call) ? overResponses(text) : overChat(text));
