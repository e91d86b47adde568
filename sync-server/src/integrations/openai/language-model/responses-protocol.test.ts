import { describe, expect, it } from 'vitest';
import { aRequest, askModel, modelAt, type Outcome } from './test-kit/ask-model.ts';

/** Events that other servers send and the fake does not, byte by byte. */
function readStream(events: readonly string[]): Promise<Outcome> {
  const answer = (): Response =>
    new Response(events.join('\n\n') + '\n\n', { headers: { 'content-type': 'text/event-stream' } });
  const model = modelAt({ url: 'http://model.test/v1', key: 'key' }, { fetch: async () => answer() });
  return askModel(model, aRequest());
}

const data = (event: unknown): string => `data: ${JSON.stringify(event)}`;
const delta = (text: unknown): string => data({ type: 'response.output_text.delta', delta: text });
const completed = (response: object = {}): string => data({ type: 'response.completed', response });

describe('events of other servers', () => {
  it('may be unknown or unnamed, with comments in between', async () => {
    const heard = await readStream([
      ': keep-alive',
      data({ type: 'response.reasoning_text.delta', delta: 'hm' }),
      delta('Hel'),
      data({ type: 'vendor.news', anything: 1 }),
      delta('lo'),
      completed({ usage: { input_tokens: 5, output_tokens: 2 } }),
    ]);
    expect(heard).toMatchObject({ text: 'Hello', thrown: null, used: [{ input: 5, cached: 0, output: 2 }] });
  });

  it('may lack usage', async () => {
    const heard = await readStream([delta('Hello'), completed()]);
    // The estimate is five letters of output and a few hundred of prompt.
    expect(heard.used).toEqual([{ input: expect.any(Number), cached: 0, output: 2, isEstimate: true }]);
    expect(heard.used[0]?.input).toBeGreaterThan(50);
  });

  it.each([
    ['a delta that is not text', [delta(5)], 'malformed'],
    ['an event without a type', [data({ delta: 'Hello' })], 'malformed'],
    ['a bare number', [data(7)], 'malformed'],
    ['an end event without a response', [data({ type: 'response.completed' })], 'malformed'],
    ['a missing end event', [delta('Hello')], 'unreachable'],
    ['an error without a message name', [data({ type: 'error', code: 'rate_limit_exceeded', message: 'x' })], 'busy'],
    ['an error in the format of chat completions', [data({ error: { message: 'overloaded' } })], 'unreachable'],
  ])('fail on %s', async (_what, events, reason) => {
    const { thrown, done } = await readStream(events);
    expect(thrown).toMatchObject({ reason });
    expect(done).toBeNull();
  });
});
