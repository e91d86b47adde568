import { OpenAI } from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRealtimeRequest, startTestSession, realtimeVoiceAt } from './realtime/test-kit/test-session.ts';
import { type OpenAiFake, startOpenAiFake } from '@parley/fakes/openai/index.ts';
import { strictSchemaProblem } from '@parley/fakes/openai/strict-schema.ts';
import { generateValue } from '@parley/fakes/openai/generate-value.ts';

let fake: OpenAiFake;
let client: OpenAI;
beforeAll(async () => {
  fake = await startOpenAiFake();
  client = new OpenAI({ apiKey: fake.key, baseURL: fake.url, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => fake.close());

const model = 'gpt-4o-mini';
const Turn = z.object({ reply: z.string(), score: z.number().int().min(1).max(5), next: z.enum(['go on', 'end']) });

describe('the OpenAI fake with the real client', () => {
  it('answers a response in one piece', async () => {
    const response = await client.responses.create({ model, instructions: 'You are Marta.', input: 'Hello there!' });
    expect(response).toMatchObject({ status: 'completed', output_text: expect.stringMatching(/\?$/) });
    expect(response.usage?.total_tokens).toBeGreaterThan(5);
  });

  it('answers structured output that the client parses', async () => {
    const response = await client.responses.parse({
      model,
      input: [{ role: 'user', content: 'I went to the market because I needed bread.' }],
      text: { format: zodTextFormat(Turn, 'turn') },
    });
    expect(Turn.parse(response.output_parsed)).toEqual({
      reply: expect.stringContaining('reason'),
      score: 3,
      next: 'go on',
    });
  });

  it('streams events that the client combines to the same response', async () => {
    const asked = { model, input: 'I have a problem with my train.' };
    const stream = client.responses.stream(asked);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    const { id: _id, output_text: text } = await stream.finalResponse();
    expect(text).toBe((await client.responses.create(asked)).output_text);
    expect(types.filter((type) => type !== 'response.output_text.delta')).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('answers chat completions complete, parsed and streamed', async () => {
    const messages = [{ role: 'user' as const, content: 'What is the price of the red one?' }];
    const realtimeFake = await client.chat.completions.create({ model, messages });
    const parsed = await client.chat.completions.parse({
      model,
      messages,
      response_format: zodResponseFormat(Turn, 'turn'),
    });
    const streamed = await client.chat.completions.stream({ model, messages }).finalContent();
    expect(realtimeFake.choices[0]?.message.content).toBe(streamed);
    expect(Turn.parse(parsed.choices[0]?.message.parsed).reply).toBe(streamed);
  });

  it('lists its models', async () => {
    const names: string[] = [];
    for await (const { id } of client.models.list()) names.push(id);
    expect(names).toContain(model);
  });

  it('respects the token limit', async () => {
    const response = await client.responses.create({
      model,
      input: 'I would like to speak about architecture today.',
      max_output_tokens: 16,
    });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(response.output_text).toHaveLength(64);
  });

  it.each([
    ['an unknown parameter', { foo: 1 }],
    ['a limit that is too low', { max_output_tokens: 3 }],
    ['no input', { input: [] }],
    [
      'a schema that is not strict',
      { text: { format: { type: 'json_schema', name: 'turn', schema: { type: 'object', properties: { a: {} } } } } },
    ],
  ])('rejects %s', async (_what, wrong) => {
    const asked = { model, input: 'Hello', ...wrong } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    await expect(client.responses.create(asked)).rejects.toMatchObject({ status: 400, message: expect.any(String) });
  });

  it('rejects a file that is not WAV, another key and an unknown path', async () => {
    const file = new File(['hello'], 'turn.wav');
    await expect(client.audio.transcriptions.create({ model, file })).rejects.toMatchObject({ status: 400 });
    await expect(client.withOptions({ apiKey: 'sk-other' }).models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    await expect(client.embeddings.create({ model, input: 'x' })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the OpenAI fake with Realtime enabled', () => {
  let realtimeFake: OpenAiFake;
  beforeAll(async () => {
    realtimeFake = await startOpenAiFake({ realtime: { speed: 20, script: { replies: ['Good morning.'] } } });
  });
  afterAll(() => realtimeFake.close());

  it('serves Realtime at the same address as everything else', async () => {
    const { url, key, realtime } = realtimeFake;
    if (realtime === null) throw new Error('the options enable Realtime');
    const testSession = await startTestSession({ url, key, sessions: realtime.sessions });
    testSession.session.speak();
    expect((await testSession.nextUtterance()).text).toBe('Good morning.');
    const asked = client.withOptions({ baseURL: url });
    expect((await asked.responses.create({ model, input: 'Hello there!' })).output_text).toMatch(/\?$/);
    await testSession.session.close();
  });

  it('mints client secrets and rejects another key', async () => {
    const { secret } = await realtimeVoiceAt(realtimeFake).createClientSecret(
      aRealtimeRequest(),
      new AbortController().signal,
    );
    expect(secret).toBe('ek_1');
    const { signal } = new AbortController();
    const stranger = realtimeVoiceAt(realtimeFake, { apiKey: 'sk-other' });
    await expect(stranger.open(aRealtimeRequest(), { onEvent: () => undefined, signal })).rejects.toMatchObject({
      reason: 'key_refused',
    });
  });

  it('disconnects sessions when it closes', async () => {
    const other = await startOpenAiFake({ realtime: {} });
    const { url, key, realtime } = other;
    const testSession = await startTestSession({ url, key, sessions: realtime?.sessions ?? [] });
    await other.close();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason: 'unreachable' });
  });

  it('is absent unless enabled', async () => {
    const { signal } = new AbortController();
    await expect(
      realtimeVoiceAt(fake).open(aRealtimeRequest(), { onEvent: () => undefined, signal }),
    ).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(fake.realtime).toBeNull();
  });
});

describe('a generated value', () => {
  const Tree: z.ZodType = z.object({
    name: z.string(),
    get children() {
      return z.array(Tree);
    },
  });
  const shapes: [what: string, schema: z.ZodType][] = [
    ['limits', z.object({ a: z.string().min(40).max(50), b: z.number().gt(3).lt(4), c: z.array(z.boolean()).min(2) })],
    ['choices', z.object({ a: z.string().nullable(), b: z.union([z.literal(3), z.string()]), c: z.null() })],
    ['kinds', z.object({ a: z.discriminatedUnion('kind', [z.object({ kind: z.literal('x'), y: z.int() })]) })],
    ['formats', z.object({ a: z.uuid(), b: z.email(), c: z.iso.date(), d: z.iso.datetime(), e: z.url() })],
    ['itself', z.object({ root: Tree })],
    [
      'maps of words',
      z.object({ words: z.array(z.object({ word: z.string(), score: z.number().min(0).max(1) })).max(3) }),
    ],
  ];
  it.each(shapes)('matches %s and is always the same', (_what, schema) => {
    const material = { said: 'I was there.', line: 'Were you?' };
    const made = () => generateValue(z.toJSONSchema(schema, { target: 'draft-7' }), material);
    expect(schema.safeParse(made())).toMatchObject({ success: true });
    expect(made()).toEqual(made());
  });

  it('quotes the learner in fields that quote', () => {
    const schema = z.toJSONSchema(z.object({ quote: z.string(), reply: z.string(), note: z.string() }));
    expect(generateValue(schema, { said: 'I was there.', line: 'Were you?' })).toEqual({
      quote: 'I was there.',
      reply: 'Were you?',
      note: 'A short note on the note.',
    });
  });

  it('is rejected for schemas with optional fields', () => {
    const strict = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(strictSchemaProblem(strict)).toBeNull();
    expect(strictSchemaProblem({ ...strict, required: [] })).toContain("'a'");
    expect(strictSchemaProblem({ ...strict, additionalProperties: true })).toContain('additionalProperties');
    expect(strictSchemaProblem({ ...strict, properties: { a: { ...strict, required: [] } } })).toContain("'a'");
    expect(strictSchemaProblem({ type: 'array', items: strict })).toContain('object');
  });
});
