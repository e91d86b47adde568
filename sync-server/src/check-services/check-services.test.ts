import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../app/config.ts';
import { type AzureSpeechTwinOptions, startAzureSpeechTwin } from '../integrations/azure-speech/twin/index.ts';
import { type OpenAiTwin, type OpenAiTwinOptions, startOpenAiTwin } from '../integrations/openai/twin/index.ts';
import { connectStripe, offerPlans } from '../integrations/stripe/index.ts';
import { startStripeTwin } from '../integrations/stripe/twin/index.ts';
import { formatRow, formatSummary, pricesWarning, withoutSecrets } from './report.ts';
import { type Checked, type CheckParts, runChecks } from './run-checks.ts';

const KEY = 'sk-very-secret-key';

async function openAiTwin(options: OpenAiTwinOptions = {}): Promise<OpenAiTwin> {
  const twin = await startOpenAiTwin({ key: KEY, realtime: { speed: 50 }, ...options });
  onTestFinished(() => twin.close());
  return twin;
}

const openAiEnvironment = ({ url }: OpenAiTwin): Record<string, string> => ({
  OPENAI_API_KEY: KEY,
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: 'gpt-4o-mini',
  OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
  OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
  OPENAI_REALTIME_MODEL: 'gpt-realtime',
});

async function azureEnvironment(options: AzureSpeechTwinOptions = {}): Promise<Record<string, string>> {
  const { endpoint, close } = await startAzureSpeechTwin({ key: KEY, ...options });
  onTestFinished(close);
  return { AZURE_SPEECH_KEY: KEY, AZURE_SPEECH_ENDPOINT: endpoint };
}

async function stripeTwin({ hasPlans = true } = {}): Promise<{ environment: Record<string, string>; address: URL }> {
  const twin = await startStripeTwin();
  onTestFinished(() => twin.close());
  const address = new URL(twin.url);
  if (hasPlans) await offerPlans(connectStripe({ secretKey: twin.key, address }));
  return { environment: { STRIPE_SECRET_KEY: twin.key, STRIPE_WEBHOOK_SECRET: 'whsec_secret' }, address };
}

async function check(
  environment: Record<string, string>,
  parts: Omit<CheckParts, 'config'> = {},
): Promise<Record<string, Checked>> {
  const byCall: Record<string, Checked> = {};
  for await (const one of runChecks({ config: readConfig({ NODE_ENV: 'test', ...environment }), ...parts }))
    byCall[one.call] = one;
  return byCall;
}

describe('services that work', () => {
  it('are each called once, as cheaply as they can be', async () => {
    const openAi = await openAiTwin();
    const { environment, address } = await stripeTwin();
    const all = { ...openAiEnvironment(openAi), ...(await azureEnvironment()), ...environment };
    const checked = await check(all, { stripeAddress: address });
    expect(Object.entries(checked).map(([call, { failure, warning }]) => [call, failure, warning])).toEqual([
      ['reply', null, null],
      ['structured answer', null, null],
      ['voice', null, null],
      ['transcription', null, null],
      ['realtime hello', null, null],
      ['pronunciation score', null, null],
      ['price list', null, null],
    ]);
    const { reply, 'pronunciation score': score } = checked;
    expect(reply).toMatchObject({ costMicros: 0, by: expect.stringMatching(/^127\.0\.0\.1:\d+, gpt-4o-mini$/) });
    expect(score?.costMicros).toBeGreaterThan(500);
    expect(score?.costMicros).toBeLessThan(2_000);
    expect(reply?.ms).toBeGreaterThan(0);
  });

  it('of OpenAI alone write down and speak as well', async () => {
    const checked = await check(openAiEnvironment(await openAiTwin()));
    expect(Object.keys(checked)).toEqual(['reply', 'structured answer', 'voice', 'transcription', 'realtime hello']);
    expect(Object.values(checked).map(({ failure }) => failure)).toEqual([null, null, null, null, null]);
  });

  it('may sell nothing, which is said', async () => {
    const { environment, address } = await stripeTwin({ hasPlans: false });
    const checked = await check(environment, { stripeAddress: address });
    expect(checked['price list']).toMatchObject({ failure: null, warning: expect.stringContaining('plan = PLUS') });
  });
});

describe('what is wrong is said in plain words', () => {
  it.each([
    ['a wrong key', { does: 'reject', status: 401 }, /refused the key\. Check that OPENAI_API_KEY/],
    ['a country', { does: 'reject', status: 403 }, /refused the key/],
    ['no credit', { does: 'reject', status: 429, code: 'insufficient_quota' }, /no credit left\. Add credit/],
    ['a limit', { does: 'reject', status: 429, retryAfterMs: 20_000 }, /Run this again in 20 s/],
    [
      'a model that is not there',
      { does: 'reject', status: 404, code: 'model_not_found' },
      /has no model gpt-4o-mini .*OPENAI_MODEL/,
    ],
    [
      'trouble at the service',
      { does: 'reject', status: 503, retryAfterMs: 30_000 },
      /is in trouble\. Try again later/,
    ],
    [
      'a request that is refused',
      { does: 'reject', status: 400, code: 'unsupported_value' },
      /refused the request\. Check OPENAI_MODEL.*unsupported_value/,
    ],
    ['a question that is declined', { does: 'refuse' }, /declined a harmless question/],
    ['an answer that is none', { does: 'garble_stream' }, /answered in a form that cannot be used/],
  ] as const)('%s', async (_what, step, words) => {
    // Takes the first form of a question, so that the step is met at once.
    const script: OpenAiTwinOptions['script'] = ({ path }) => (/responses|completions/.test(path) ? step : undefined);
    const twin = await openAiTwin({ dialect: 'ollama', script });
    const { reply, voice } = await check(openAiEnvironment(twin));
    expect(reply?.failure).toMatch(words);
    expect(voice?.failure).toBeNull();
  });

  it('a server that is not there, and a name that is none', async () => {
    const vacant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => vacant.once('listening', resolve));
    const { port } = vacant.address() as AddressInfo;
    await new Promise((resolve) => vacant.close(resolve));
    const at = (address: string) => ({ OPENAI_BASE_URL: address, OPENAI_MODEL: 'm' });
    const { reply } = await check(at(`http://127.0.0.1:${port}/v1`));
    expect(reply?.failure).toMatch(new RegExp(`Nothing listens at 127\\.0\\.0\\.1:${port}\\..*OPENAI_BASE_URL`));
    expect(() => readConfig(at(`http://user:${KEY}@127.0.0.1/v1`))).toThrow('OPENAI_API_KEY');
    const nowhere = await check(at('http://parley.invalid/v1'));
    expect(nowhere['reply']?.failure).toMatch(/The name of parley\.invalid cannot be found/);
  });

  it('a server that never answers', async () => {
    const twin = await openAiTwin({ script: () => ({ does: 'answer_late', ms: 60_000 }) });
    const withinMs = { provider: 200, ownServer: 200 };
    const { reply } = await check({ OPENAI_BASE_URL: twin.url, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'm' }, { withinMs });
    expect(reply?.failure).toMatch(/did not finish in time/);
  });

  it('a recording in which nothing is understood, and a voice without sound', async () => {
    const twin = await openAiTwin({
      script: ({ path }) =>
        path.endsWith('transcriptions')
          ? { does: 'answer', text: '' }
          : path.endsWith('speech')
            ? { does: 'cut', afterEvents: 0 }
            : undefined,
    });
    const { transcription, voice } = await check(openAiEnvironment(twin));
    expect(transcription?.failure).toMatch(/Nothing was understood.*OPENAI_TRANSCRIBE_MODEL/);
    expect(voice?.failure).toMatch(/No answer came from/);
  });

  it('a realtime model that refuses the session, or fails on the way', async () => {
    const refusing = await openAiTwin({
      realtime: { script: { refuses: [{ does: 'reject', status: 401, code: 'invalid_api_key' }] } },
    });
    const refused = await check(openAiEnvironment(refusing));
    expect(refused['realtime hello']?.failure).toMatch(/refused the key/);
    const failing = await openAiTwin({
      realtime: { script: { says: [{ text: 'Hello.', goesWrong: { does: 'cut', afterMs: 0 } }] } },
    });
    expect((await check(openAiEnvironment(failing)))['realtime hello']?.failure).toMatch(/No answer came from/);
  });

  it.each([
    [
      'a key of another region',
      { script: [{}, {}, { refuse: 401 }] },
      /refused the key\. .*AZURE_SPEECH_KEY.*AZURE_SPEECH_ENDPOINT/,
    ],
    [
      'too many calls',
      { script: [{}, {}, { refuse: 429 }, { refuse: 429 }, { refuse: 429 }] },
      /takes no more requests just now/,
    ],
    [
      'a path that is not there',
      { script: [{}, {}, { refuse: 404 }, { refuse: 404 }, { refuse: 404 }] },
      /does not know this address/,
    ],
    [
      'an answer without scores',
      { script: [{}, {}, { hears: 'unscored' }, { hears: 'unscored' }] },
      /cannot be used|not scored/,
    ],
    ['silence', { script: [{}, {}, { hears: 'silence' }, { hears: 'silence' }] }, /not scored|cannot be used/],
  ] as const)('Azure: %s', async (_what, options, words) => {
    const checked = await check(await azureEnvironment(options));
    expect(checked['pronunciation score']?.failure).toMatch(words);
    expect(checked['voice']?.failure).toBeNull();
  });

  it('Stripe: a wrong key', async () => {
    const { environment, address } = await stripeTwin();
    const wrong = { ...environment, STRIPE_SECRET_KEY: 'sk_test_wrong_key' };
    const checked = await check(wrong, { stripeAddress: address });
    expect(checked['price list']?.failure).toMatch(/Stripe refused the key\. Check that STRIPE_SECRET_KEY/);
  });
});

describe('the report', () => {
  const one: Checked = {
    call: 'reply',
    by: 'OpenAI, gpt-5-mini',
    failure: null,
    warning: null,
    ms: 1_234,
    costMicros: 57,
  };

  it('is a table of result, time and cost, with what to do below it', () => {
    expect(formatRow(one)).toMatch(/^ok\s+reply\s+1\.2 s\s+\$0\.000057\s+OpenAI, gpt-5-mini$/);
    const failed = { ...one, failure: 'OpenAI refused the key.', costMicros: null };
    expect(formatRow(failed)).toMatch(/^FAILED reply\s+1\.2 s\s+unknown/);
    expect(formatSummary([one, failed], { now: new Date('2026-06-05') })).toEqual([
      'reply: OpenAI refused the key.',
      '1 of 2 calls went well; they cost about $0.0001.',
    ]);
    expect(formatSummary([], { now: new Date('2026-06-05') })[0]).toMatch(/^No service is configured/);
  });

  it('warns of a price list that is older than 120 days, and not a day before', () => {
    expect(pricesWarning(new Date('2026-10-02T12:00:00Z'))).toEqual([]);
    expect(pricesWarning(new Date('2026-10-03T12:00:00Z'))[0]).toMatch(/121 days old/);
  });

  it('holds no secret, whatever a service says', () => {
    expect(withoutSecrets(`Incorrect API key: ${KEY}`, [KEY])).toBe('Incorrect API key: ***');
  });
});

describe('npm run check-services', () => {
  const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
  const run = (environment: Record<string, string>) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], NODE_ENV: 'test', ...environment };
      execFile(process.execPath, [MAIN], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });

  it('ends well when all calls do, and badly when one does not; its output holds no key', async () => {
    const good = await run(openAiEnvironment(await openAiTwin()));
    expect(good).toMatchObject({ code: 0, output: expect.stringContaining('5 of 5 calls went well') });
    const refusing = await openAiTwin({ key: 'another' });
    const bad = await run({ ...openAiEnvironment(refusing), ...(await azureEnvironment()) });
    expect(bad).toMatchObject({ code: 1, output: expect.stringContaining('OPENAI_API_KEY') });
    expect(bad.output).toMatch(/^ok +pronunciation score/m);
    for (const { output } of [good, bad]) expect(output).not.toContain(KEY);
  });

  it('says what is wrong with the environment itself', async () => {
    const { code, output } = await run({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('OPENAI_MODEL') });
  });
});
