import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asked, askedAndCharged, hear, modelAt } from './test-kit/asked.ts';
import { type OpenAiTwin, type OpenAiTwinOptions, startOpenAiTwin, type TwinStep } from './twin/index.ts';

const twins: OpenAiTwin[] = [];
afterEach(() => Promise.all(twins.splice(0).map((twin) => twin.close())));
const startTwin = async (options?: OpenAiTwinOptions): Promise<OpenAiTwin> => {
  const twin = await startOpenAiTwin(options);
  twins.push(twin);
  return twin;
};

const Judgement = z.object({
  isMet: z.boolean(),
  quote: z.string().nullable(),
  score: z.number().int().min(0).max(100),
  kind: z.enum(['grammar', 'word']),
  notes: z.array(z.object({ original: z.string(), better: z.string() })),
});
const JUDGED = { isMet: true, quote: 'naïve — 你好 👩‍🚀', score: 80, kind: 'word', notes: [] };

/** Each server speaks one of the two; nobody who asks should notice which. */
const PROTOCOLS: [name: string, options: OpenAiTwinOptions][] = [
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } }],
];

describe.each(PROTOCOLS)('a model over %s', (_name, options) => {
  it('speaks as it thinks, then says what it cost', async () => {
    const twin = await startTwin(options);
    twin.play({ does: 'answer', text: 'The room is free from May. Would that suit you?' });
    const heard = await hear(modelAt(twin), asked());
    expect(heard).toMatchObject({ text: 'The room is free from May. Would that suit you?', thrown: null, pieces: 10 });
    expect(heard.used).toEqual([{ input: expect.any(Number), cached: 0, output: 12 }]);
    expect(heard.used[0]?.input).toBeGreaterThan(20);
  });

  it('says what the provider had at hand when the same instructions come again', async () => {
    const model = modelAt(await startTwin(options));
    await hear(model, asked());
    const [again] = (await hear(model, asked())).used;
    expect(again?.cached).toBeGreaterThan(0);
    expect(again?.cached).toBeLessThan(again?.input ?? 0);
  });

  it('gives a value of the wished shape, characters of all scripts whole', async () => {
    const twin = await startTwin(options);
    twin.play({ does: 'answer', text: JSON.stringify(JUDGED) });
    const { question, used } = askedAndCharged();
    const { value } = await modelAt(twin).structured({ ...question, name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
    expect(used).toEqual([
      { input: expect.any(Number), cached: 0, output: Math.ceil(JSON.stringify(JUDGED).length / 4) },
    ]);
  });

  it('passes characters of all scripts on whole, and a long answer to its end', async () => {
    const twin = await startTwin(options);
    const text = Array.from({ length: 8_000 }, (_, index) => `naïve ${index} 你好👩‍🚀`).join(' ');
    twin.play({ does: 'answer', text });
    const heard = await hear(modelAt(twin), asked({ maxOutputTokens: 100_000 }));
    expect(heard.thrown).toBeNull();
    expect(heard.text).toBe(text);
  });

  it('holds twenty conversations at a time, each with its own answer', async () => {
    const said = (body: unknown): string => /"number (\d+)"/.exec(JSON.stringify(body))?.[1] ?? '';
    const twin = await startTwin({
      ...options,
      paceMs: 1,
      script: ({ body }) => ({ does: 'answer', text: `You said ${said(body)}. `.repeat(20) }),
    });
    const model = modelAt(twin);
    const heard = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        hear(model, asked({ messages: [{ role: 'learner', text: `number ${index}` }] })),
      ),
    );
    expect(heard.map(({ text }) => text)).toEqual(heard.map((_, index) => `You said ${index}. `.repeat(20)));
  });

  it('asks once more for a value that keeps to the shape, says what was wrong, and counts both', async () => {
    const twin = await startTwin(options);
    twin.play({ does: 'answer', text: JSON.stringify({ ...JUDGED, score: 'high' }) });
    twin.play({ does: 'answer', text: `Sure!\n\`\`\`json\n${JSON.stringify(JUDGED)}\n\`\`\`` });
    const { question, used } = askedAndCharged();
    const { value } = await modelAt(twin).structured({ ...question, name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
    const answered = twin.calls.filter(({ body }) => JSON.stringify(body).includes('judgement'));
    expect(JSON.stringify(answered.at(-1)?.body)).toContain('score');
    expect(JSON.stringify(answered.at(-1)?.body)).toContain('An earlier answer did not keep to it');
    expect(used).toHaveLength(2);
    expect((used[0]?.output ?? 0) + (used[1]?.output ?? 0)).toBeGreaterThan(40);
  });

  it.each([
    ['prose', 'I would say that it is met.'],
    ['another shape', '{"isMet":"yes"}'],
    ['half of a JSON', JSON.stringify(JUDGED).slice(0, 30)],
  ])('fails on %s, twice', async (_what, text) => {
    const twin = await startTwin(options);
    twin.play({ does: 'answer', text, times: 2 });
    const { question, used } = askedAndCharged();
    await expect(modelAt(twin).structured({ ...question, name: 'judgement', schema: Judgement })).rejects.toMatchObject(
      { reason: 'malformed' },
    );
    const output = Math.ceil(text.length / 4);
    expect(used).toEqual([expect.objectContaining({ output }), expect.objectContaining({ output })]);
  });

  it('asks again for a value of which only a part came: nobody has heard it', async () => {
    const twin = await startTwin(options);
    twin.play({ does: 'cut', afterEvents: 5 }, { does: 'answer', text: JSON.stringify(JUDGED) });
    const { value } = await modelAt(twin).structured({ ...asked(), name: 'judgement', schema: Judgement });
    expect(value).toEqual(JUDGED);
  });

  it.each([
    ['held open', { does: 'fall_silent', afterEvents: 1_000 }],
    ['cut', { does: 'cut', afterEvents: 1_000 }],
  ] as [string, TwinStep][])('does not mind a line that is %s after the whole answer', async (_what, step) => {
    const twin = await startTwin(options);
    twin.play(step);
    const startMs = performance.now();
    const heard = await hear(modelAt(twin, { timeouts: { silenceMs: 10_000 } }), asked());
    expect(heard).toMatchObject({ text: expect.stringMatching(/\?$/), thrown: null, done: { type: 'done' } });
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  it('ends an answer that reaches the limit of tokens where it is', async () => {
    const twin = await startTwin(options);
    twin.play({ does: 'stop_short', text: 'One two three four' });
    expect(await hear(modelAt(twin), asked())).toMatchObject({
      text: 'One two t',
      thrown: null,
      done: { type: 'done' },
    });
  });
});

describe('what OpenAI is asked', () => {
  it('is told the roles, the limit and a strict shape, and to keep nothing', async () => {
    const twin = await startTwin();
    await modelAt(twin).structured({ ...asked(), name: 'judgement', schema: Judgement });
    expect(twin.calls).toHaveLength(1);
    expect(twin.calls[0]?.body).toMatchObject({
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
    expect(twin.calls[0]?.body).not.toHaveProperty('reasoning');
  });

  it('never sets a limit that OpenAI refuses', async () => {
    const twin = await startTwin();
    await hear(modelAt(twin), asked({ maxOutputTokens: 3 }));
    expect(twin.calls[0]?.body).toMatchObject({ max_output_tokens: 16 });
  });

  it.each([
    ['gpt-5-mini', {}, { effort: 'minimal' }],
    ['gpt-5-mini-2025-08-07', {}, { effort: 'minimal' }],
    ['gpt-5-mini', { reasoningEffort: null }, undefined],
    ['gpt-5.1', {}, { effort: 'none' }],
    ['llama3.2', { reasoningEffort: 'low' as const }, { effort: 'low' }],
  ])('lets %s think with %o as long as it should', async (model, options, reasoning) => {
    const twin = await startTwin();
    await hear(modelAt(twin, { model, ...options }), asked());
    expect(twin.calls[0]?.body['reasoning']).toEqual(reasoning);
  });

  it('uses a connection again when an answer ended well', async () => {
    const twin = await startTwin();
    const model = modelAt(twin);
    for (let time = 0; time < 6; time += 1) await hear(model, asked());
    expect(twin.calls.map(({ state }) => state)).toEqual(twin.calls.map(() => 'answered'));
    // Now and then the next question is quicker than the connection is free again.
    expect(twin.connectionCount()).toBeLessThan(4);
  });
});
