import { ServiceFailure } from '@parley/domain';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRequest, askModel, SHORT_TIMEOUTS, modelAt, LEARNER_SECRET, timeoutsFor } from './test-kit/ask-model.ts';
import { type OpenAiFake, startOpenAiFake, type ScriptStep } from '@parley/fakes/openai/index.ts';

const ANSWER = { does: 'answer', text: 'The room is free from May.' } as const;
const CUT_IN_TEXT = { does: 'cut', afterEvents: 6 } as const;
const CUT_BEFORE_TEXT = { does: 'cut', afterEvents: 1 } as const;

describe.each([
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } as const }],
])('failures over %s', (protocol, options) => {
  let fake: OpenAiFake;
  beforeEach(async () => {
    fake = await startOpenAiFake(options);
  });
  afterEach(() => fake.close());

  const modelCalls = (): OpenAiFake['calls'] =>
    fake.calls.filter(({ path }) => path === (protocol === 'Responses' ? '/v1/responses' : '/v1/chat/completions'));

  /** `times` is the number of requests before the failure was reported. */
  const failures: [what: string, steps: ScriptStep[], failure: Partial<ServiceFailure>, times: number][] = [
    ['a refused key', [{ does: 'reject', status: 401 }], { reason: 'key_refused' }, 1],
    ['a forbidden country', [{ does: 'reject', status: 403 }], { reason: 'key_refused' }, 1],
    ['no credit', [{ does: 'reject', status: 402 }], { reason: 'key_refused', retryAfterMs: null }, 1],
    [
      'no credit, reported as a rate limit',
      [{ does: 'reject', status: 429, code: 'insufficient_quota' }],
      { reason: 'key_refused' },
      1,
    ],
    [
      'a rate limit longer than a learner waits',
      [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
      { reason: 'busy', retryAfterMs: 60_000 },
      1,
    ],
    ['a lasting rate limit', [{ does: 'reject', status: 429, retryAfterMs: 10, times: 3 }], { reason: 'busy' }, 3],
    ['a lasting server error', [{ does: 'reject', status: 500, times: 3 }], { reason: 'unreachable' }, 3],
    [
      'a server in maintenance',
      [{ does: 'reject', status: 503, retryAfterMs: 30_000 }],
      { reason: 'unreachable', retryAfterMs: 30_000 },
      1,
    ],
    ['a rejected request', [{ does: 'reject', status: 400 }], { reason: 'unreachable' }, 1],
    [
      'a prompt against the content policy',
      [{ does: 'reject', status: 400, code: 'content_filter' }],
      { reason: 'declined' },
      1,
    ],
    ['a refusal', [{ does: 'refuse' }], { reason: 'declined' }, 1],
    ['a filter in the middle', [{ does: 'filter' }], { reason: 'declined' }, 1],
    ['a missing first byte', [{ does: 'answer_late', ms: 10_000 }], { reason: 'unreachable' }, 1],
    ['headers without a body', [{ does: 'fall_silent', afterEvents: 0 }], { reason: 'unreachable' }, 1],
    ['silence in the middle', [{ does: 'fall_silent', afterEvents: 6 }], { reason: 'unreachable' }, 1],
    ['a connection that drops in the middle', [CUT_IN_TEXT], { reason: 'unreachable' }, 1],
    ['a connection that always drops', [{ ...CUT_BEFORE_TEXT, times: 3 }], { reason: 'unreachable' }, 3],
    ['events that are not JSON, twice', [{ does: 'garble_json', times: 2 }], { reason: 'malformed' }, 2],
    ['another content type, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
    ['an empty answer, twice', [{ does: 'answer', text: '', times: 2 }], { reason: 'malformed' }, 2],
    [
      'a failure in the middle',
      [{ does: 'fail', code: 'server_error', text: 'The room' }],
      { reason: 'unreachable' },
      1,
    ],
    [
      'an overload reported as an event',
      [{ does: 'fail', code: 'rate_limit_exceeded', times: 3 }],
      { reason: 'busy' },
      3,
    ],
    [
      'an overload reported as an error',
      [{ does: 'fail', code: 'rate_limit_exceeded', by: 'error', times: 3 }],
      { reason: 'busy' },
      3,
    ],
    ['a prompt declined late', [{ does: 'fail', code: 'invalid_prompt' }], { reason: 'declined' }, 1],
  ];
  it.each(failures)('reports %s as a ServiceFailure', async (_what, steps, failure, times) => {
    fake.play(...steps);
    const startMs = performance.now();
    const { thrown, done } = await askModel(modelAt(fake, { timeouts: timeoutsFor(steps) }), aRequest());
    expect(thrown).toBeInstanceOf(ServiceFailure);
    expect(thrown).toMatchObject(failure);
    expect(done).toBeNull();
    expect(modelCalls()).toHaveLength(times);
    expect(performance.now() - startMs).toBeLessThan(4_000);
  });

  const recoveries: [what: string, steps: ScriptStep[]][] = [
    ['a short rate limit', [{ does: 'reject', status: 429, retryAfterMs: 20 }]],
    ['two server errors', [{ does: 'reject', status: 500, times: 2 }]],
    ['a drop before the first word', [CUT_BEFORE_TEXT]],
    ['an event that is not JSON', [{ does: 'garble_json' }]],
    ['another content type', [{ does: 'garble_stream' }]],
    ['a failure before the first word', [{ does: 'fail', code: 'server_error' }]],
  ];
  it.each(recoveries)('recovers from %s and answers once', async (_what, steps) => {
    fake.play(...steps, ANSWER);
    expect(await askModel(modelAt(fake), aRequest())).toMatchObject({
      text: ANSWER.text,
      thrown: null,
      done: { type: 'done' },
    });
  });

  it('waits as long as the provider asks before a retry', async () => {
    fake.play({ does: 'reject', status: 429, retryAfterMs: 120 }, ANSWER);
    const startMs = performance.now();
    await askModel(modelAt(fake), aRequest());
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(119);
  });

  it('passes on the text before a drop and does not repeat it', async () => {
    fake.play(CUT_IN_TEXT, ANSWER);
    const { text, thrown } = await askModel(modelAt(fake), aRequest());
    expect(text.length).toBeGreaterThan(0);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
    expect(modelCalls()).toHaveLength(1);
  });

  it("never exposes the learner's words or the key in an error", async () => {
    fake.play({ does: 'reject', status: 400, code: `${LEARNER_SECRET} ${fake.key}` });
    const { thrown } = await askModel(modelAt(fake), aRequest());
    expect(thrown).toBeInstanceOf(ServiceFailure);
    const shown = inspect(thrown, { depth: 20, showHidden: true });
    expect(shown).not.toContain('Ludmila');
    expect(shown).not.toContain(fake.key);
  });

  const expectHangUp = () => expect.poll(() => modelCalls().at(-1)?.state, { timeout: 2_000, interval: 5 });

  it.each([
    ['waits for the first byte', { does: 'answer_late', ms: 10_000 }],
    ['receives the answer', { does: 'fall_silent', afterEvents: 6 }],
  ] as [string, ScriptStep][])('aborts the request when the learner leaves while it %s', async (_what, step) => {
    fake.play(step);
    const abortController = new AbortController();
    const reason = new Error('left');
    const heard = askModel(modelAt(fake), aRequest({ signal: abortController.signal }));
    await expect.poll(() => modelCalls().at(-1)?.state, { interval: 5 }).toBe('open');
    abortController.abort(reason);
    expect((await heard).thrown).toBe(reason);
    await expectHangUp().toBe('hung_up');
  });

  it('does not retry for a learner who leaves during a pause', async () => {
    fake.play({ does: 'reject', status: 429, retryAfterMs: 3_000 });
    const abortController = new AbortController();
    const heard = askModel(modelAt(fake, { timeouts: {} }), aRequest({ signal: abortController.signal }));
    await expect.poll(() => modelCalls().at(-1)?.state, { interval: 5 }).toBe('answered');
    abortController.abort('left');
    expect((await heard).thrown).toBe('left');
    expect(modelCalls()).toHaveLength(1);
  });

  it('sends no request when the signal was already aborted', async () => {
    const { thrown } = await askModel(modelAt(fake), aRequest({ signal: AbortSignal.abort('left') }));
    expect(thrown).toBe('left');
    expect(fake.calls).toHaveLength(0);
  });

  it('ends the request when nothing consumes it any more', async () => {
    fake.play({ does: 'fall_silent', afterEvents: 6 });
    for await (const event of modelAt(fake).stream(aRequest())) if (event.type === 'text') break;
    await expectHangUp().toBe('hung_up');
  });

  it('ends a request that fell silent', async () => {
    fake.play({ does: 'fall_silent', afterEvents: 6 });
    await askModel(modelAt(fake, { timeouts: SHORT_TIMEOUTS }), aRequest());
    await expectHangUp().toBe('hung_up');
  });
});

it('reports a missing server as unreachable', async () => {
  const fake = await startOpenAiFake();
  await fake.close();
  expect((await askModel(modelAt(fake), aRequest())).thrown).toMatchObject({ reason: 'unreachable' });
});

it('reports a wrong key as key_refused', async () => {
  const fake = await startOpenAiFake();
  const { thrown } = await askModel(modelAt({ url: fake.url, key: 'sk-another' }), aRequest());
  expect(thrown).toMatchObject({ reason: 'key_refused' });
  await fake.close();
});
