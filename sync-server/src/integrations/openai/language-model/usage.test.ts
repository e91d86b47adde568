/** Providers charge for answers that fail, even when no learner heard them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '../connection/usage-metering.ts';
import { aRequest, aMeteredRequest, askModel, SHORT_TIMEOUTS, modelAt, timeoutsFor } from './test-kit/ask-model.ts';
import { type OpenAiFake, startOpenAiFake, type ScriptStep } from '@parley/fakes/openai/index.ts';

const ANSWER_TEXT = 'The room is free from May. Would that suit you?';
/** The fake counts tokens like this, which is close to OpenAI's count for English. */
const tokenCount = (text: string): number => Math.ceil(text.length / 4);

describe.each([
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } as const }],
])('an answer over %s', (_protocol, options) => {
  let fake: OpenAiFake;
  beforeEach(async () => {
    fake = await startOpenAiFake(options);
  });
  afterEach(() => fake.close());

  const promptTokens = async (): Promise<number> => {
    const { used } = await askModel(modelAt(fake), aRequest());
    return used[0]?.input ?? 0;
  };

  it.each<[string, ScriptStep[], number]>([
    ['is a refusal', [{ does: 'refuse' }], 1],
    ['is stopped by a filter', [{ does: 'filter' }], 1],
    ['drops after some text', [{ does: 'cut', afterEvents: 8 }], 1],
    ['drops before any text, each time', [{ does: 'cut', afterEvents: 1, times: 3 }], 3],
    ['stops in the middle', [{ does: 'fall_silent', afterEvents: 8 }], 1],
    ['never starts', [{ does: 'answer_late', ms: 10_000 }], 1],
    ['is not JSON, twice', [{ does: 'garble_json', times: 2 }], 2],
    ['is empty, twice', [{ does: 'answer', text: '', times: 2 }], 2],
  ])('that %s is charged per call', async (_what, steps, calls) => {
    const input = await promptTokens();
    fake.play(...steps);
    const { used, text, thrown } = await askModel(modelAt(fake, { timeouts: timeoutsFor(steps) }), aRequest());
    expect(thrown).not.toBeNull();
    expect(used).toHaveLength(calls);
    for (const usage of used) {
      expect(usage.input).toBeGreaterThanOrEqual(input);
      expect(usage.input).toBeLessThan(4 * input);
      expect(usage.output).toBeGreaterThanOrEqual(tokenCount(text));
    }
  });

  it.each<[string, ScriptStep[]]>([
    ['the key is refused', [{ does: 'reject', status: 401 }]],
    ['the rate limit applies', [{ does: 'reject', status: 429, retryAfterMs: 60_000 }]],
    ['the server fails', [{ does: 'reject', status: 500, times: 3 }]],
  ])('costs nothing when %s', async (_what, steps) => {
    fake.play(...steps);
    expect((await askModel(modelAt(fake), aRequest())).used).toEqual([]);
  });

  it('that follows a failed one is charged in addition', async () => {
    fake.play({ does: 'cut', afterEvents: 1 }, { does: 'answer', text: ANSWER_TEXT });
    const { used, thrown } = await askModel(modelAt(fake), aRequest());
    expect(thrown).toBeNull();
    expect(used.map(({ output }) => output)).toEqual([0, tokenCount(ANSWER_TEXT)]);
  });

  it('that a learner abandons is charged for the received part', async () => {
    const abortController = new AbortController();
    const slow = await startOpenAiFake({ ...options, paceMs: 20 });
    slow.play({ does: 'answer', text: `${ANSWER_TEXT} `.repeat(30) });
    const { request, used } = aMeteredRequest({ signal: abortController.signal });
    let text = '';
    await expect(async () => {
      for await (const event of modelAt(slow).stream(request)) {
        if (event.type === 'text') text += event.text;
        if (text.length > 60) abortController.abort(new Error('left'));
      }
    }).rejects.toThrow('left');
    await slow.close();
    expect(used).toHaveLength(1);
    expect(used[0]?.output).toBeGreaterThanOrEqual(tokenCount(text));
    expect(used[0]?.output).toBeLessThan(2 * tokenCount(text));
  });

  it('that nothing consumes any more is charged for the received part', async () => {
    fake.play({ does: 'fall_silent', afterEvents: 6 });
    const { request, used } = aMeteredRequest();
    for await (const event of modelAt(fake, { timeouts: SHORT_TIMEOUTS }).stream(request))
      if (event.type === 'text') break;
    expect(used).toMatchObject([{ output: expect.any(Number) }]);
  });

  it('with an output format is charged again after it drops', async () => {
    fake.play({ does: 'cut', afterEvents: 5 }, { does: 'answer', text: '{"reply":"Yes"}' });
    const { request, used } = aMeteredRequest();
    await modelAt(fake).structured({ ...request, name: 'turn', schema: z.object({ reply: z.string() }) });
    expect(used).toHaveLength(2);
  });
});

it("charges the provider's own count for an answer that fails after text", async () => {
  const fake = await startOpenAiFake();
  fake.play({ does: 'fail', code: 'server_error', text: ANSWER_TEXT });
  fake.play({ does: 'fail', code: 'server_error', text: ANSWER_TEXT, by: 'error' });
  const counted = await askModel(modelAt(fake), aRequest());
  expect(counted).toMatchObject({ text: ANSWER_TEXT, thrown: { reason: 'unreachable' } });
  const uncounted = await askModel(modelAt(fake), aRequest());
  await fake.close();
  expect(counted.used).toHaveLength(1);
  expect(counted.used[0]?.isEstimate).toBeUndefined();
  expect(counted.used[0]?.output).toBeGreaterThanOrEqual(tokenCount(ANSWER_TEXT));
  expect(uncounted.used).toEqual([
    { input: expect.any(Number), cached: 0, output: estimateTokens(ANSWER_TEXT), isEstimate: true },
  ]);
});

it('charges nothing for an unreachable server', async () => {
  const fake = await startOpenAiFake();
  await fake.close();
  expect((await askModel(modelAt(fake), aRequest())).used).toEqual([]);
});

it('estimates tokens on the high side in any script', () => {
  // The expected counts come from OpenAI's tokenizer o200k_base.
  expect(estimateTokens('The room is free from May, would that suit?')).toBeGreaterThanOrEqual(11);
  expect(estimateTokens('这个房间从五月起空着，可以吗？')).toBeGreaterThanOrEqual(11);
  expect(estimateTokens('Комната свободна с мая, вам подойдёт?')).toBeGreaterThanOrEqual(12);
});
