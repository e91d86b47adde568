import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, hear, modelAt } from './test-kit/asked.ts';
import { type OpenAiTwin, startOpenAiTwin } from './twin/index.ts';

let twin: OpenAiTwin;
afterEach(() => twin.close());

const paths = (): string[] => twin.calls.map(({ path }) => path);
const formats = (): unknown[] =>
  twin.calls
    .filter(({ path }) => path === '/v1/chat/completions')
    .map(({ body }) => (body['response_format'] as { type: string } | undefined)?.type);

const schema = z.object({ reply: z.string(), isFinished: z.boolean() });

describe('a server that does not know Responses', () => {
  it.each([404, 405, 501] as const)('is asked the other way after %i, from then on at once', async (status) => {
    twin = await startOpenAiTwin({ lacks: { responses: status } });
    const model = modelAt(twin);
    expect((await hear(model, asked())).thrown).toBeNull();
    expect((await hear(model, asked())).thrown).toBeNull();
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
  });

  it('is asked the other way by all who found out at the same time', async () => {
    twin = await startOpenAiTwin({ lacks: { responses: 404 } });
    const model = modelAt(twin);
    const heard = await Promise.all(Array.from({ length: 20 }, () => hear(model, asked())));
    expect(heard.map(({ thrown }) => thrown)).toEqual(heard.map(() => null));
  });

  it('may learn it later, as long as it knows neither', async () => {
    twin = await startOpenAiTwin();
    twin.play({ does: 'reject', status: 404, times: 2 });
    const model = modelAt(twin);
    expect((await hear(model, asked())).thrown).toMatchObject({ reason: 'unreachable' });
    expect((await hear(model, asked())).thrown).toBeNull();
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/responses']);
  });

  it('is not left for one that answered before', async () => {
    twin = await startOpenAiTwin();
    const model = modelAt(twin);
    await hear(model, asked());
    twin.play({ does: 'reject', status: 404, code: 'model_not_found' });
    expect((await hear(model, asked())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(paths()).toEqual(['/v1/responses', '/v1/responses']);
  });

  it('is told who says what, the limit, and to count', async () => {
    twin = await startOpenAiTwin({ lacks: { responses: 404 } });
    await hear(modelAt(twin), asked());
    expect(twin.calls.at(-1)?.body).toEqual({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: expect.stringContaining('Marta') },
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: expect.stringContaining('Good morning') },
        { role: 'user', content: expect.stringContaining('I want to move') },
      ],
      max_tokens: 400,
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});

describe('a server that cannot be held to a schema', () => {
  it.each([
    ['knows schemas', {}, ['json_schema', 'json_schema']],
    ['only knows JSON', { jsonSchema: true }, ['json_schema', 'json_object', 'json_object']],
    ['knows neither', { jsonSchema: true, jsonObject: true }, ['json_schema', 'json_object', undefined, undefined]],
  ])('%s: it gives the value all the same, and is asked so from then on', async (_what, lacks, asking) => {
    twin = await startOpenAiTwin({ lacks: { responses: 404, ...lacks } });
    const model = modelAt(twin);
    for (let time = 0; time < 2; time += 1) {
      const { value } = await model.structured({ ...asked(), name: 'turn', schema });
      expect(schema.parse(value)).toEqual(value);
    }
    expect(formats()).toEqual(asking);
  });

  it('does not change how plain words are asked for', async () => {
    twin = await startOpenAiTwin({ lacks: { responses: 404, jsonSchema: true } });
    const model = modelAt(twin);
    await hear(model, asked());
    await model.structured({ ...asked(), name: 'turn', schema });
    await hear(model, asked());
    expect(formats()).toEqual([undefined, 'json_schema', 'json_object', undefined]);
  });
});
