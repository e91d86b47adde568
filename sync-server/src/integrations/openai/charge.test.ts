/** What a provider charges for answers that did not go well: nobody has heard them, and the bill comes all the same. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tokensAbout } from './charge.ts';
import { asked, askedAndCharged, hear, IMPATIENT, modelAt, timeoutsFor } from './test-kit/asked.ts';
import { type OpenAiTwin, startOpenAiTwin, type TwinStep } from './twin/index.ts';

const WORDS = 'The room is free from May. Would that suit you?';
/** As the twin counts them, which is as OpenAI does for English, about. */
const inTokens = (text: string): number => Math.ceil(text.length / 4);

describe.each([
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } as const }],
])('an answer over %s', (_protocol, options) => {
  let twin: OpenAiTwin;
  beforeEach(async () => {
    twin = await startOpenAiTwin(options);
  });
  afterEach(() => twin.close());

  const promptTokens = async (): Promise<number> => {
    const { used } = await hear(modelAt(twin), asked());
    return used[0]?.input ?? 0;
  };

  it.each<[string, TwinStep[], number]>([
    ['is refused in words', [{ does: 'refuse' }], 1],
    ['is stopped by a filter', [{ does: 'filter' }], 1],
    ['is cut after words', [{ does: 'cut', afterEvents: 8 }], 1],
    ['is cut before any word, each time', [{ does: 'cut', afterEvents: 1, times: 3 }], 3],
    ['falls silent', [{ does: 'fall_silent', afterEvents: 8 }], 1],
    ['never begins', [{ does: 'answer_late', ms: 10_000 }], 1],
    ['is no JSON, twice', [{ does: 'garble_json', times: 2 }], 2],
    ['is empty, twice', [{ does: 'answer', text: '', times: 2 }], 2],
  ])('that %s is charged, call by call', async (_what, steps, calls) => {
    const input = await promptTokens();
    twin.play(...steps);
    const { used, text, thrown } = await hear(modelAt(twin, { timeouts: timeoutsFor(steps) }), asked());
    expect(thrown).not.toBeNull();
    expect(used).toHaveLength(calls);
    for (const usage of used) {
      expect(usage.input).toBeGreaterThanOrEqual(input);
      expect(usage.input).toBeLessThan(4 * input);
      expect(usage.output).toBeGreaterThanOrEqual(inTokens(text));
    }
  });

  it.each<[string, TwinStep[]]>([
    ['the key is refused', [{ does: 'reject', status: 401 }]],
    ['there are too many', [{ does: 'reject', status: 429, retryAfterMs: 60_000 }]],
    ['the server is broken', [{ does: 'reject', status: 500, times: 3 }]],
  ])('costs nothing where %s', async (_what, steps) => {
    twin.play(...steps);
    expect((await hear(modelAt(twin), asked())).used).toEqual([]);
  });

  it('that comes after a broken one is charged beside it', async () => {
    twin.play({ does: 'cut', afterEvents: 1 }, { does: 'answer', text: WORDS });
    const { used, thrown } = await hear(modelAt(twin), asked());
    expect(thrown).toBeNull();
    expect(used.map(({ output }) => output)).toEqual([0, inTokens(WORDS)]);
  });

  it('that a learner leaves in the middle is charged as far as it came', async () => {
    const leaving = new AbortController();
    const slow = await startOpenAiTwin({ ...options, paceMs: 20 });
    slow.play({ does: 'answer', text: `${WORDS} `.repeat(30) });
    const { question, used } = askedAndCharged({ signal: leaving.signal });
    let text = '';
    await expect(async () => {
      for await (const event of modelAt(slow).stream(question)) {
        if (event.type === 'text') text += event.text;
        if (text.length > 60) leaving.abort(new Error('left'));
      }
    }).rejects.toThrow('left');
    await slow.close();
    expect(used).toHaveLength(1);
    expect(used[0]?.output).toBeGreaterThanOrEqual(inTokens(text));
    expect(used[0]?.output).toBeLessThan(2 * inTokens(text));
  });

  it('to which nobody listens any more is charged as far as it came', async () => {
    twin.play({ does: 'fall_silent', afterEvents: 6 });
    const { question, used } = askedAndCharged();
    for await (const event of modelAt(twin, { timeouts: IMPATIENT }).stream(question)) if (event.type === 'text') break;
    expect(used).toMatchObject([{ output: expect.any(Number) }]);
  });

  it('in a form that breaks off is charged, and so is the one that is asked for in its place', async () => {
    twin.play({ does: 'cut', afterEvents: 5 }, { does: 'answer', text: '{"reply":"Yes"}' });
    const { question, used } = askedAndCharged();
    await modelAt(twin).structured({ ...question, name: 'turn', schema: z.object({ reply: z.string() }) });
    expect(used).toHaveLength(2);
  });
});

it('an answer that fails after words costs what the provider says, where it says so', async () => {
  const twin = await startOpenAiTwin();
  twin.play({ does: 'fail', code: 'server_error', text: WORDS });
  twin.play({ does: 'fail', code: 'server_error', text: WORDS, by: 'error' });
  const counted = await hear(modelAt(twin), asked());
  expect(counted).toMatchObject({ text: WORDS, thrown: { reason: 'unreachable' } });
  const uncounted = await hear(modelAt(twin), asked());
  await twin.close();
  expect(counted.used).toHaveLength(1);
  expect(counted.used[0]?.isEstimate).toBeUndefined();
  expect(counted.used[0]?.output).toBeGreaterThanOrEqual(inTokens(WORDS));
  expect(uncounted.used).toEqual([
    { input: expect.any(Number), cached: 0, output: tokensAbout(WORDS), isEstimate: true },
  ]);
});

it('a server that is not there charges nothing', async () => {
  const twin = await startOpenAiTwin();
  await twin.close();
  expect((await hear(modelAt(twin), asked())).used).toEqual([]);
});

it('an estimate is rather too high, in any script', () => {
  // So many are they to OpenAI's own tokenizer, o200k_base.
  expect(tokensAbout('The room is free from May, would that suit?')).toBeGreaterThanOrEqual(11);
  expect(tokensAbout('这个房间从五月起空着，可以吗？')).toBeGreaterThanOrEqual(11);
  expect(tokensAbout('Комната свободна с мая, вам подойдёт?')).toBeGreaterThanOrEqual(12);
});
