import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../compose/config/read-config.ts';
import { type AzureSpeechFakeOptions, startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';
import { type OpenAiFake, type OpenAiFakeOptions, startOpenAiFake } from '@parley/fakes/openai/index.ts';
import { connectStripe } from '../integrations/stripe/index.ts';
import { startStripeFake, seedPlans } from '@parley/fakes/stripe/index.ts';
import { formatRow, formatSummary, priceListWarning, redactSecrets } from './report.ts';
import { type CheckResult, type CheckParts, runChecks } from './run-checks.ts';
import { unlistedModelWarning } from './unlisted-model.ts';

const KEY = 'sk-very-secret-key';
const USED_UP = { cutAfterBytes: 1, closesWith: { code: 1007, reason: 'Quota exceeded. Cid: ' } };

async function openAiFake(options: OpenAiFakeOptions = {}): Promise<OpenAiFake> {
  const fake = await startOpenAiFake({ key: KEY, realtime: { speed: 50 }, ...options });
  onTestFinished(() => fake.close());
  return fake;
}

const openAiEnvironment = ({ url }: OpenAiFake): Record<string, string> => ({
  OPENAI_API_KEY: KEY,
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: 'gpt-4o-mini',
  OPENAI_TRANSCRIBE_MODEL: 'gpt-4o-mini-transcribe',
  OPENAI_VOICE_MODEL: 'gpt-4o-mini-tts',
  OPENAI_REALTIME_MODEL: 'gpt-realtime',
});

async function azureEnvironment(options: AzureSpeechFakeOptions = {}): Promise<Record<string, string>> {
  const { endpoint, close } = await startAzureSpeechFake({ key: KEY, ...options });
  onTestFinished(close);
  return { AZURE_SPEECH_KEY: KEY, AZURE_SPEECH_ENDPOINT: endpoint };
}

async function stripeFake({ hasPlans = true } = {}): Promise<{ environment: Record<string, string>; address: URL }> {
  const fake = await startStripeFake();
  onTestFinished(() => fake.close());
  const address = new URL(fake.url);
  if (hasPlans) await seedPlans(connectStripe({ secretKey: fake.key, baseUrl: address }));
  return { environment: { STRIPE_SECRET_KEY: fake.key, STRIPE_WEBHOOK_SECRET: 'whsec_secret' }, address };
}

async function check(
  environment: Record<string, string>,
  parts: Omit<CheckParts, 'config'> = {},
): Promise<Record<string, CheckResult>> {
  const byCall: Record<string, CheckResult> = {};
  for await (const one of runChecks({ config: readConfig({ NODE_ENV: 'test', ...environment }), ...parts }))
    byCall[one.call] = one;
  return byCall;
}

describe('working services', () => {
  it('are each called once, as cheaply as possible', async () => {
    const openAi = await openAiFake();
    const { environment, address } = await stripeFake();
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
    expect(reply).toMatchObject({
      costMicros: 0,
      serviceName: expect.stringMatching(/^127\.0\.0\.1:\d+, gpt-4o-mini$/),
    });
    expect(score?.costMicros).toBeGreaterThan(500);
    expect(score?.costMicros).toBeLessThan(2_000);
    expect(reply?.ms).toBeGreaterThan(0);
  });

  it('with OpenAI alone, include transcription and a voice', async () => {
    const checked = await check(openAiEnvironment(await openAiFake()));
    expect(Object.keys(checked)).toEqual(['reply', 'structured answer', 'voice', 'transcription', 'realtime hello']);
    expect(Object.values(checked).map(({ failure }) => failure)).toEqual([null, null, null, null, null]);
  });

  it('that sell no plan cause a warning', async () => {
    const { environment, address } = await stripeFake({ hasPlans: false });
    const checked = await check(environment, { stripeAddress: address });
    expect(checked['price list']).toMatchObject({ failure: null, warning: expect.stringContaining('plan = PLUS') });
  });
});

describe('a failure is explained in plain words', () => {
  it.each([
    ['a wrong key', { does: 'reject', status: 401 }, /refused the key\. Check that OPENAI_API_KEY/],
    ['an unsupported country', { does: 'reject', status: 403 }, /refused the key/],
    ['no credit', { does: 'reject', status: 429, code: 'insufficient_quota' }, /no credit left\. Add credit/],
    ['a rate limit', { does: 'reject', status: 429, retryAfterMs: 20_000 }, /Run this again in 20 s/],
    [
      'an unknown model',
      { does: 'reject', status: 404, code: 'model_not_found' },
      /has no model gpt-4o-mini .*OPENAI_MODEL/,
    ],
    ['a service outage', { does: 'reject', status: 503, retryAfterMs: 30_000 }, /is having problems\. Try again later/],
    [
      'a rejected request',
      { does: 'reject', status: 400, code: 'unsupported_value' },
      /refused the request\. Check OPENAI_MODEL.*unsupported_value/,
    ],
    ['a declined question', { does: 'refuse' }, /declined a harmless question/],
    ['an unusable answer', { does: 'garble_stream' }, /returned an answer in an unusable format/],
  ] as const)('%s', async (_what, step, words) => {
    // Answers the first request format, so that the step is applied at once.
    const script: OpenAiFakeOptions['script'] = ({ path }) => (/responses|completions/.test(path) ? step : undefined);
    const fake = await openAiFake({ dialect: 'ollama', script });
    const { reply, voice } = await check(openAiEnvironment(fake));
    expect(reply?.failure).toMatch(words);
    expect(voice?.failure).toBeNull();
  });

  it('explains an unreachable server and an unknown host name', async () => {
    const vacant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => vacant.once('listening', resolve));
    const { port } = vacant.address() as AddressInfo;
    await new Promise((resolve) => vacant.close(resolve));
    const at = (address: string) => ({ OPENAI_BASE_URL: address, OPENAI_MODEL: 'm' });
    const { reply } = await check(at(`http://127.0.0.1:${port}/v1`));
    expect(reply?.failure).toMatch(new RegExp(`No server is listening at 127\\.0\\.0\\.1:${port}\\..*OPENAI_BASE_URL`));
    expect(() => readConfig(at(`http://user:${KEY}@127.0.0.1/v1`))).toThrow('OPENAI_API_KEY');
    const nowhere = await check(at('http://parley.invalid/v1'));
    expect(nowhere['reply']?.failure).toMatch(/The host name of parley\.invalid cannot be resolved/);
  });

  it('explains a server that never answers', async () => {
    const fake = await openAiFake({ script: () => ({ does: 'answer_late', ms: 60_000 }) });
    const withinMs = { provider: 200, ownServer: 200 };
    const { reply } = await check(
      { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'm' },
      { timeoutMs: withinMs },
    );
    expect(reply?.failure).toMatch(/did not finish in time/);
  });

  it('explains an unintelligible recording and a silent voice', async () => {
    const fake = await openAiFake({
      script: ({ path }) =>
        path.endsWith('transcriptions')
          ? { does: 'answer', text: '' }
          : path.endsWith('speech')
            ? { does: 'cut', afterEvents: 0 }
            : undefined,
    });
    const { transcription, voice } = await check(openAiEnvironment(fake));
    expect(transcription?.failure).toMatch(/transcript of the recording was empty.*OPENAI_TRANSCRIBE_MODEL/);
    expect(voice?.failure).toMatch(/did not respond/);
  });

  it('explains a realtime model that refuses or fails', async () => {
    const refusing = await openAiFake({
      realtime: { script: { rejections: [{ does: 'reject', status: 401, code: 'invalid_api_key' }] } },
    });
    const refused = await check(openAiEnvironment(refusing));
    expect(refused['realtime hello']?.failure).toMatch(/refused the key/);
    const failing = await openAiFake({
      realtime: { script: { replies: [{ text: 'Hello.', failure: { does: 'cut', afterMs: 0 } }] } },
    });
    expect((await check(openAiEnvironment(failing)))['realtime hello']?.failure).toMatch(/did not respond/);
  });

  it.each([
    [
      'a key for another region',
      { script: [{}, {}, { refuse: 401 }] },
      /refused the key\. .*AZURE_SPEECH_KEY.*AZURE_SPEECH_ENDPOINT/,
    ],
    [
      'too many requests',
      { script: [{}, {}, { refuse: 429 }, { refuse: 429 }, { refuse: 429 }] },
      /is rate limiting requests/,
    ],
    [
      'a used-up quota',
      { script: [{}, {}, USED_UP, USED_UP] },
      /is rate limiting requests.* raise the limits of the account at portal\.azure\.com/,
    ],
    [
      'an unknown path',
      { script: [{}, {}, { refuse: 404 }, { refuse: 404 }, { refuse: 404 }] },
      /does not know this address/,
    ],
    [
      'an answer without scores',
      { script: [{}, {}, { hears: 'unscored' }, { hears: 'unscored' }] },
      /unusable format|not scored/,
    ],
    ['silence', { script: [{}, {}, { hears: 'silence' }, { hears: 'silence' }] }, /not scored|unusable format/],
  ] as const)('Azure: %s', async (_what, options, words) => {
    const checked = await check(await azureEnvironment(options));
    expect(checked['pronunciation score']?.failure).toMatch(words);
    expect(checked['voice']?.failure).toBeNull();
  });

  it('Stripe: a wrong key', async () => {
    const { environment, address } = await stripeFake();
    const wrong = { ...environment, STRIPE_SECRET_KEY: 'sk_test_wrong_key' };
    const checked = await check(wrong, { stripeAddress: address });
    expect(checked['price list']?.failure).toMatch(/Stripe refused the key\. Check that STRIPE_SECRET_KEY/);
  });
});

describe('the report', () => {
  const one: CheckResult = {
    call: 'reply',
    serviceName: 'OpenAI, gpt-5-mini',
    failure: null,
    warning: null,
    ms: 1_234,
    costMicros: 57,
  };

  it('is a table of result, time and cost, followed by advice', () => {
    expect(formatRow(one)).toMatch(/^ok\s+reply\s+1\.2 s\s+\$0\.000057\s+OpenAI, gpt-5-mini$/);
    const failed = { ...one, failure: 'OpenAI refused the key.', costMicros: null };
    expect(formatRow(failed)).toMatch(/^FAILED reply\s+1\.2 s\s+unknown/);
    expect(formatSummary([one, failed], { now: new Date('2026-06-05') })).toEqual([
      'reply: OpenAI refused the key.',
      '1 of 2 calls succeeded; they cost about $0.0001.',
    ]);
    expect(formatSummary([], { now: new Date('2026-06-05') })[0]).toMatch(/^No service is configured/);
  });

  it('warns of a price list older than 120 days, and not a day earlier', () => {
    expect(priceListWarning(new Date('2026-10-02T12:00:00Z'))).toEqual([]);
    expect(priceListWarning(new Date('2026-10-03T12:00:00Z'))[0]).toMatch(/121 days old/);
  });

  it.each([
    ['reply', 'gpt-5-mini', null],
    ['reply', 'gpt-4o-mini-2024-07-18', null],
    ['reply', 'mistralai/mistral-small', /does not contain mistralai\/mistral-small.*OPENAI_MODEL/],
    ['realtime hello', 'gpt-realtime-2.1', null],
    ['realtime hello', 'gpt-4o-mini', /does not contain gpt-4o-mini/],
    ['transcription', 'whisper-large-v3', null],
  ])('warns of a model without a price: %s, %s', (call, model, words) => {
    const warning = unlistedModelWarning(call, { model, modelVariable: 'OPENAI_MODEL' });
    if (words === null) expect(warning).toBeNull();
    else expect(warning).toMatch(words);
  });

  it('contains no secret, whatever a service returns', () => {
    expect(redactSecrets(`Incorrect API key: ${KEY}`, [KEY])).toBe('Incorrect API key: ***');
  });
});

describe('parley-server check-services', () => {
  const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
  const run = (environment: Record<string, string>) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_ENV: 'test',
        ...environment,
      };
      execFile(process.execPath, [MAIN, 'check-services'], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });

  it('exits with the result of the calls and prints no key', { tags: ['slow'] }, async () => {
    const good = await run(openAiEnvironment(await openAiFake()));
    expect(good).toMatchObject({ code: 0, output: expect.stringContaining('5 of 5 calls succeeded') });
    const refusing = await openAiFake({ key: 'another' });
    const bad = await run({ ...openAiEnvironment(refusing), ...(await azureEnvironment()) });
    expect(bad).toMatchObject({ code: 1, output: expect.stringContaining('OPENAI_API_KEY') });
    expect(bad.output).toMatch(/^ok +pronunciation score/m);
    for (const { output } of [good, bad]) expect(output).not.toContain(KEY);
  });

  it('reads keys from files, and does not print them either', { tags: ['slow'] }, async () => {
    const { OPENAI_API_KEY, ...others } = openAiEnvironment(await openAiFake({ key: 'another' }));
    const dir = mkdtempSync(join(tmpdir(), 'parley-key-'));
    writeFileSync(join(dir, 'key'), `${OPENAI_API_KEY ?? ''}\n`);
    const { code, output } = await run({ ...others, OPENAI_API_KEY_FILE: join(dir, 'key') });
    expect(output).toContain('OPENAI_API_KEY');
    expect(output).not.toContain(KEY);
    expect(code).toBe(1);
  });

  it('explains an invalid environment', { tags: ['slow'] }, async () => {
    const { code, output } = await run({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('OPENAI_MODEL') });
  });
});
