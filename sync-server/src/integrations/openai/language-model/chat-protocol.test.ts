import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRequest, askModel, modelAt } from './test-kit/ask-model.ts';
import { type OpenAiFake, startOpenAiFake } from '@parley/fakes/openai/index.ts';

let fake: OpenAiFake;
afterEach(() => fake.close());

const paths = (): string[] => fake.calls.map(({ path }) => path);
const formats = (): unknown[] =>
  fake.calls
    .filter(({ path }) => path === '/v1/chat/completions')
    .map(({ body }) => (body['response_format'] as { type: string } | undefined)?.type);

const schema = z.object({ reply: z.string(), isFinished: z.boolean() });

describe('a server without Responses', () => {
  it.each([404, 405, 501] as const)('is asked over chat completions after %i, at once from then on', async (status) => {
    fake = await startOpenAiFake({ lacks: { responses: status } });
    const model = modelAt(fake);
    expect((await askModel(model, aRequest())).thrown).toBeNull();
    expect((await askModel(model, aRequest())).thrown).toBeNull();
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
  });

  it('serves concurrent requests that all find out at once', async () => {
    fake = await startOpenAiFake({ lacks: { responses: 404 } });
    const model = modelAt(fake);
    const heard = await Promise.all(Array.from({ length: 20 }, () => askModel(model, aRequest())));
    expect(heard.map(({ thrown }) => thrown)).toEqual(heard.map(() => null));
  });

  it('is tried over Responses again while neither protocol works', async () => {
    fake = await startOpenAiFake();
    fake.play({ does: 'reject', status: 404, times: 2 });
    const model = modelAt(fake);
    expect((await askModel(model, aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
    expect((await askModel(model, aRequest())).thrown).toBeNull();
    expect(paths()).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/responses']);
  });

  it('keeps using Responses after it worked once', async () => {
    fake = await startOpenAiFake();
    const model = modelAt(fake);
    await askModel(model, aRequest());
    fake.play({ does: 'reject', status: 404, code: 'model_not_found' });
    expect((await askModel(model, aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
    expect(paths()).toEqual(['/v1/responses', '/v1/responses']);
  });

  it('receives roles, the limit and a request for usage', async () => {
    fake = await startOpenAiFake({ lacks: { responses: 404 } });
    await askModel(modelAt(fake), aRequest());
    expect(fake.calls.at(-1)?.body).toEqual({
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

describe('a server with limited structured output', () => {
  it.each([
    ['supports schemas', {}, ['json_schema', 'json_schema']],
    ['supports only JSON', { jsonSchema: true }, ['json_schema', 'json_object', 'json_object']],
    ['supports neither', { jsonSchema: true, jsonObject: true }, ['json_schema', 'json_object', undefined, undefined]],
  ])('that %s returns the value and remembers the mode', async (_what, lacks, asking) => {
    fake = await startOpenAiFake({ lacks: { responses: 404, ...lacks } });
    const model = modelAt(fake);
    for (let time = 0; time < 2; time += 1) {
      const { value } = await model.structured({ ...aRequest(), name: 'turn', schema });
      expect(schema.parse(value)).toEqual(value);
    }
    expect(formats()).toEqual(asking);
  });

  it('does not affect plain text requests', async () => {
    fake = await startOpenAiFake({ lacks: { responses: 404, jsonSchema: true } });
    const model = modelAt(fake);
    await askModel(model, aRequest());
    await model.structured({ ...aRequest(), name: 'turn', schema });
    await askModel(model, aRequest());
    expect(formats()).toEqual([undefined, 'json_schema', 'json_object', undefined]);
  });
});
