import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aRequest, aMeteredRequest, askModel, modelAt } from './test-kit/ask-model.ts';
import {
  type OpenAiFake,
  type OpenAiFakeOptions,
  startOpenAiFake,
  type ScriptStep,
} from '@parley/fakes/openai/index.ts';

const fakes: OpenAiFake[] = [];
afterEach(() => Promise.all(fakes.splice(0).map((fake) => fake.close())));
const startFake = async (options?: OpenAiFakeOptions): Promise<OpenAiFake> => {
  const fake = await startOpenAiFake(options);
  fakes.push(fake);
  return fake;
};

const Judgement = z.object({
  isMet: z.boolean(),
  quote: z.string().nullable(),
  score: z.number().int().min(0).max(100),
  kind: z.enum(['grammar', 'word']),
  notes: z.array(z.object({ original: z.string(), better: z.string() })),
});
const JUDGED = { isMet: true, quote: 'naïve — 你好 👩‍🚀', score: 80, kind: 'word', notes: [] };

/** Callers must not notice which of the two protocols a server speaks. */
const PROTOCOLS: [name: string, options: OpenAiFakeOptions][] = [
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } }],
];

describe.each(PROTOCOLS)('a model over %s', (_name, options) => {
  it('streams its text and reports usage', async () => {
    const fake = await startFake(options);
    fake.play({ does: 'answer', text: 'The room is free from May. Would that suit you?' });
    const heard = await askModel(modelAt(fake), aRequest());
    expect(heard).toMatchObject({ text: 'The room is free from May. Would that suit you?', thrown: null, pieces: 10 });
    expect(heard.used).toEqual([{ input: expect.any(Number), cached: 0, output: 12 }]);
    expect(heard.used[0]?.input).toBeGreaterThan(20);
  });

  it('reports cached tokens for repeated instructions', async () => {
    const model = modelAt(await startFake(options));
    await askModel(model, aRequest());
    const [again] = (await askModel(model, aRequest())).used;
    expect(again?.cached).toBeGreaterThan(0);
    expect(again?.cached).toBeLessThan(again?.input ?? 0);
  });

  it('returns a value of the schema with Unicode intact', async () => {
    const fake = await startFake(options);
    fake.play({ does: 'answer', text: JSON.stringify(JUDGED) });
    const { request, used } = aMeteredRequest();
    const { value } = await modelAt(fake).structured({ ...request, name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
    expect(used).toEqual([
      { input: expect.any(Number), cached: 0, output: Math.ceil(JSON.stringify(JUDGED).length / 4) },
    ]);
  });

  it('keeps Unicode intact in a long answer', async () => {
    const fake = await startFake(options);
    const text = Array.from({ length: 8_000 }, (_, index) => `naïve ${index} 你好👩‍🚀`).join(' ');
    fake.play({ does: 'answer', text });
    const heard = await askModel(modelAt(fake), aRequest({ maxOutputTokens: 100_000 }));
    expect(heard.thrown).toBeNull();
    expect(heard.text).toBe(text);
  });

  it('handles twenty concurrent requests', async () => {
    const said = (body: unknown): string => /"number (\d+)"/.exec(JSON.stringify(body))?.[1] ?? '';
    const fake = await startFake({
      ...options,
      paceMs: 1,
      script: ({ body }) => ({ does: 'answer', text: `You said ${said(body)}. `.repeat(20) }),
    });
    const model = modelAt(fake);
    const heard = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        askModel(model, aRequest({ messages: [{ role: 'learner', text: `number ${index}` }] })),
      ),
    );
    expect(heard.map(({ text }) => text)).toEqual(heard.map((_, index) => `You said ${index}. `.repeat(20)));
  });

  it('retries a value that does not match, with the problem, and meters both', async () => {
    const fake = await startFake(options);
    fake.play({ does: 'answer', text: JSON.stringify({ ...JUDGED, score: 'high' }) });
    fake.play({ does: 'answer', text: `Sure!\n\`\`\`json\n${JSON.stringify(JUDGED)}\n\`\`\`` });
    const { request, used } = aMeteredRequest();
    const { value } = await modelAt(fake).structured({ ...request, name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
    const answered = fake.calls.filter(({ body }) => JSON.stringify(body).includes('judgement'));
    expect(JSON.stringify(answered.at(-1)?.body)).toContain('score');
    expect(JSON.stringify(answered.at(-1)?.body)).toContain('An earlier answer did not keep to it');
    expect(used).toHaveLength(2);
    expect((used[0]?.output ?? 0) + (used[1]?.output ?? 0)).toBeGreaterThan(40);
  });

  it.each([
    ['prose', 'I would say that it is met.'],
    ['JSON of another shape', '{"isMet":"yes"}'],
    ['truncated JSON', JSON.stringify(JUDGED).slice(0, 30)],
  ])('fails after %s twice', async (_what, text) => {
    const fake = await startFake(options);
    fake.play({ does: 'answer', text, times: 2 });
    const { request, used } = aMeteredRequest();
    await expect(modelAt(fake).structured({ ...request, name: 'judgement', schema: Judgement })).rejects.toMatchObject({
      reason: 'malformed',
    });
    const output = Math.ceil(text.length / 4);
    expect(used).toEqual([expect.objectContaining({ output }), expect.objectContaining({ output })]);
  });

  it('retries a value that arrived only in part', async () => {
    const fake = await startFake(options);
    fake.play({ does: 'cut', afterEvents: 5 }, { does: 'answer', text: JSON.stringify(JUDGED) });
    const { value } = await modelAt(fake).structured({ ...aRequest(), name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
  });

  it.each([
    ['held open', { does: 'fall_silent', afterEvents: 1_000 }],
    ['dropped', { does: 'cut', afterEvents: 1_000 }],
  ] as [string, ScriptStep][])('ignores a connection that is %s after the whole answer', async (_what, step) => {
    const fake = await startFake(options);
    fake.play(step);
    const startMs = performance.now();
    const heard = await askModel(modelAt(fake, { timeouts: { silenceMs: 10_000 } }), aRequest());
    expect(heard).toMatchObject({ text: expect.stringMatching(/\?$/), thrown: null, done: { type: 'done' } });
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('ends an answer at the token limit', async () => {
    const fake = await startFake(options);
    fake.play({ does: 'stop_short', text: 'One two three four' });
    expect(await askModel(modelAt(fake), aRequest())).toMatchObject({
      text: 'One two t',
      thrown: null,
      done: { type: 'done' },
    });
  });
});

describe('a request to OpenAI', () => {
  it('contains roles, the limit, a strict schema and no storage', async () => {
    const fake = await startFake();
    await modelAt(fake).structured({ ...aRequest(), name: 'judgement', schema: Judgement });
    expect(fake.calls).toHaveLength(1);
    expect(fake.calls[0]?.body).toMatchObject({
      model: 'gpt-4o-mini',
      instructions: expect.stringContaining('Marta'),
      input: [
        { type: 'message', role: 'user', content: 'Begin.' },
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [
            { type: 'output_text', text: expect.stringContaining('Good morning'), annotations: [], logprobs: [] },
          ],
        },
        { type: 'message', role: 'user', content: expect.stringContaining('I want to move') },
      ],
      max_output_tokens: 400,
      store: false,
      stream: true,
      text: { format: { type: 'json_schema', name: 'judgement', strict: true } },
    });
    expect(fake.calls[0]?.body).not.toHaveProperty('reasoning');
  });

  it("never sets a limit below OpenAI's minimum", async () => {
    const fake = await startFake();
    await askModel(modelAt(fake), aRequest({ maxOutputTokens: 3 }));
    expect(fake.calls[0]?.body).toMatchObject({ max_output_tokens: 16 });
  });

  it.each([
    ['gpt-5-mini', {}, { effort: 'minimal' }],
    ['gpt-5-mini-2025-08-07', {}, { effort: 'minimal' }],
    ['gpt-5-mini', { reasoningEffort: null }, undefined],
    ['gpt-5.1', {}, { effort: 'none' }],
    ['llama3.2', { reasoningEffort: 'low' as const }, { effort: 'low' }],
  ])('lets %s reason with %o as configured', async (model, options, reasoning) => {
    const fake = await startFake();
    await askModel(modelAt(fake, { model, ...options }), aRequest());
    expect(fake.calls[0]?.body['reasoning']).toEqual(reasoning);
  });

  it('reuses a connection after a complete answer', async () => {
    const fake = await startFake();
    const model = modelAt(fake);
    for (let time = 0; time < 6; time += 1) await askModel(model, aRequest());
    expect(fake.calls.map(({ state }) => state)).toEqual(fake.calls.map(() => 'answered'));
    // Sometimes the next request starts before the connection is free again.
    expect(fake.connectionCount()).toBeLessThan(4);
  });
});
