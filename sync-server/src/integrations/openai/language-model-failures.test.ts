import { inspect } from 'node:util';
import { ModelFailure } from '@parley/coach/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asked, hear, IMPATIENT, modelAt, SECRET, timeoutsFor } from './test-kit/asked.ts';
import { type OpenAiTwin, startOpenAiTwin, type TwinStep } from './twin/index.ts';

const ANSWER = { does: 'answer', text: 'The room is free from May.' } as const;
const CUT_IN_TEXT = { does: 'cut', afterEvents: 6 } as const;
const CUT_BEFORE_TEXT = { does: 'cut', afterEvents: 1 } as const;

describe.each([
  ['Responses', {}],
  ['chat completions', { lacks: { responses: 404 } as const }],
])('what goes wrong over %s', (protocol, options) => {
  let twin: OpenAiTwin;
  beforeEach(async () => {
    twin = await startOpenAiTwin(options);
  });
  afterEach(() => twin.close());

  const asking = (): OpenAiTwin['calls'] =>
    twin.calls.filter(({ path }) => path === (protocol === 'Responses' ? '/v1/responses' : '/v1/chat/completions'));

  /** `times` is how often the provider was asked until the failure was ours. */
  const failures: [what: string, steps: TwinStep[], failure: Partial<ModelFailure>, times: number][] = [
    ['a refused key', [{ does: 'reject', status: 401 }], { reason: 'key_refused' }, 1],
    ['a forbidden country', [{ does: 'reject', status: 403 }], { reason: 'key_refused' }, 1],
    ['no money', [{ does: 'reject', status: 402 }], { reason: 'busy', retryAfterMs: null }, 1],
    ['no money, said as a limit', [{ does: 'reject', status: 429, code: 'insufficient_quota' }], { reason: 'busy' }, 1],
    [
      'a limit for longer than a learner waits',
      [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
      { reason: 'busy', retryAfterMs: 60_000 },
      1,
    ],
    ['a limit that stays', [{ does: 'reject', status: 429, retryAfterMs: 10, times: 3 }], { reason: 'busy' }, 3],
    ['a server that stays broken', [{ does: 'reject', status: 500, times: 3 }], { reason: 'unreachable' }, 3],
    [
      'a server under repair',
      [{ does: 'reject', status: 503, retryAfterMs: 30_000 }],
      { reason: 'unreachable', retryAfterMs: 30_000 },
      1,
    ],
    ['a request that it does not take', [{ does: 'reject', status: 400 }], { reason: 'unreachable' }, 1],
    [
      'a prompt that breaks its rules',
      [{ does: 'reject', status: 400, code: 'content_filter' }],
      { reason: 'declined' },
      1,
    ],
    ['a refusal', [{ does: 'refuse' }], { reason: 'declined' }, 1],
    ['a filter in the middle', [{ does: 'filter' }], { reason: 'declined' }, 1],
    ['a first byte that does not come', [{ does: 'answer_late', ms: 10_000 }], { reason: 'unreachable' }, 1],
    ['headers and nothing more', [{ does: 'fall_silent', afterEvents: 0 }], { reason: 'unreachable' }, 1],
    ['silence in the middle', [{ does: 'fall_silent', afterEvents: 6 }], { reason: 'unreachable' }, 1],
    ['a line that is cut in the middle', [CUT_IN_TEXT], { reason: 'unreachable' }, 1],
    ['a line that is always cut', [{ ...CUT_BEFORE_TEXT, times: 3 }], { reason: 'unreachable' }, 3],
    ['events that are no JSON, twice', [{ does: 'garble_json', times: 2 }], { reason: 'malformed' }, 2],
    ['no events at all, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
    ['an empty answer, twice', [{ does: 'answer', text: '', times: 2 }], { reason: 'malformed' }, 2],
    [
      'a failure in the middle',
      [{ does: 'fail', code: 'server_error', text: 'The room' }],
      { reason: 'unreachable' },
      1,
    ],
    ['an overload said as an event', [{ does: 'fail', code: 'rate_limit_exceeded', times: 3 }], { reason: 'busy' }, 3],
    [
      'an overload said as an error',
      [{ does: 'fail', code: 'rate_limit_exceeded', by: 'error', times: 3 }],
      { reason: 'busy' },
      3,
    ],
    ['a prompt declined late', [{ does: 'fail', code: 'invalid_prompt' }], { reason: 'declined' }, 1],
  ];
  it.each(failures)('%s is a failure of ours', async (_what, steps, failure, times) => {
    twin.play(...steps);
    const startMs = performance.now();
    const { thrown, done } = await hear(modelAt(twin, { timeouts: timeoutsFor(steps) }), asked());
    expect(thrown).toBeInstanceOf(ModelFailure);
    expect(thrown).toMatchObject(failure);
    expect(done).toBeNull();
    expect(asking()).toHaveLength(times);
    expect(performance.now() - startMs).toBeLessThan(4_000);
  });

  const recoveries: [what: string, steps: TwinStep[]][] = [
    ['a short limit', [{ does: 'reject', status: 429, retryAfterMs: 20 }]],
    ['two broken answers', [{ does: 'reject', status: 500, times: 2 }]],
    ['a cut before the first word', [CUT_BEFORE_TEXT]],
    ['an event that is no JSON', [{ does: 'garble_json' }]],
    ['no events at all', [{ does: 'garble_stream' }]],
    ['a failure before the first word', [{ does: 'fail', code: 'server_error' }]],
  ];
  it.each(recoveries)('%s is passed over, and the answer comes once', async (_what, steps) => {
    twin.play(...steps, ANSWER);
    expect(await hear(modelAt(twin), asked())).toMatchObject({
      text: ANSWER.text,
      thrown: null,
      done: { type: 'done' },
    });
  });

  it('waits as long as it is asked to before it asks again', async () => {
    twin.play({ does: 'reject', status: 429, retryAfterMs: 120 }, ANSWER);
    const startMs = performance.now();
    await hear(modelAt(twin), asked());
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(119);
  });

  it('passes on what was said before the line was cut, and never says it again', async () => {
    twin.play(CUT_IN_TEXT, ANSWER);
    const { text, thrown } = await hear(modelAt(twin), asked());
    expect(text.length).toBeGreaterThan(0);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
    expect(asking()).toHaveLength(1);
  });

  it('holds neither what was said nor the key', async () => {
    twin.play({ does: 'reject', status: 400, code: `${SECRET} ${twin.key}` });
    const { thrown } = await hear(modelAt(twin), asked());
    expect(thrown).toBeInstanceOf(ModelFailure);
    const shown = inspect(thrown, { depth: 20, showHidden: true });
    expect(shown).not.toContain('Ludmila');
    expect(shown).not.toContain(twin.key);
  });

  const isHungUp = () => expect.poll(() => asking().at(-1)?.state, { timeout: 2_000, interval: 5 });

  it.each([
    ['waits for the first byte', { does: 'answer_late', ms: 10_000 }],
    ['listens', { does: 'fall_silent', afterEvents: 6 }],
  ] as [string, TwinStep][])('a learner who leaves while the server %s ends the call upstream', async (_what, step) => {
    twin.play(step);
    const leaving = new AbortController();
    const reason = new Error('left');
    const heard = hear(modelAt(twin), asked({ signal: leaving.signal }));
    await expect.poll(() => asking().at(-1)?.state, { interval: 5 }).toBe('open');
    leaving.abort(reason);
    expect((await heard).thrown).toBe(reason);
    await isHungUp().toBe('hung_up');
  });

  it('a learner who leaves during a pause is not asked for again', async () => {
    twin.play({ does: 'reject', status: 429, retryAfterMs: 3_000 });
    const leaving = new AbortController();
    const heard = hear(modelAt(twin, { timeouts: {} }), asked({ signal: leaving.signal }));
    await expect.poll(() => asking().at(-1)?.state, { interval: 5 }).toBe('answered');
    leaving.abort('left');
    expect((await heard).thrown).toBe('left');
    expect(asking()).toHaveLength(1);
  });

  it('nobody is called for a learner who has left already', async () => {
    const { thrown } = await hear(modelAt(twin), asked({ signal: AbortSignal.abort('left') }));
    expect(thrown).toBe('left');
    expect(twin.calls).toHaveLength(0);
  });

  it('the call ends when nobody listens any more', async () => {
    twin.play({ does: 'fall_silent', afterEvents: 6 });
    for await (const event of modelAt(twin).stream(asked())) if (event.type === 'text') break;
    await isHungUp().toBe('hung_up');
  });

  it('a silent line is hung up by us', async () => {
    twin.play({ does: 'fall_silent', afterEvents: 6 });
    await hear(modelAt(twin, { timeouts: IMPATIENT }), asked());
    await isHungUp().toBe('hung_up');
  });
});

it('a server that is not there is unreachable', async () => {
  const twin = await startOpenAiTwin();
  await twin.close();
  expect((await hear(modelAt(twin), asked())).thrown).toMatchObject({ reason: 'unreachable' });
});

it('a wrong key is refused', async () => {
  const twin = await startOpenAiTwin();
  const { thrown } = await hear(modelAt({ url: twin.url, key: 'sk-another' }), asked());
  expect(thrown).toMatchObject({ reason: 'key_refused' });
  await twin.close();
});
