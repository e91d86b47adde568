import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CoachVoice, ServiceFailure } from '@parley/domain';
import type { RecognitionPass } from '../../../ports/speech/index.ts';
import { createOpenAiSynthesiser, createOpenAiTranscriber } from '../index.ts';
import { PATIENT_TIMEOUTS, timeoutsFor } from '../language-model/test-kit/ask-model.ts';
import { type OpenAiFake, startOpenAiFake, type ScriptStep } from '@parley/fakes/openai/index.ts';

let fake: OpenAiFake;
let timeouts: typeof PATIENT_TIMEOUTS;
beforeEach(async () => {
  // With a pace, audio arrives in the odd-sized chunks in which it is sent.
  fake = await startOpenAiFake({ paceMs: 2 });
  timeouts = PATIENT_TIMEOUTS;
});
afterEach(() => fake.close());

const access = (model: string) => ({ apiKey: fake.key, baseUrl: fake.url, model, timeouts });
const playSteps = (steps: readonly ScriptStep[]): void => {
  timeouts = timeoutsFor(steps);
  fake.play(...steps);
};
const expectHangUp = () => expect.poll(() => fake.calls.at(-1)?.state, { timeout: 2_000, interval: 5 }).toBe('hung_up');

const failures: [what: string, steps: ScriptStep[], failure: Partial<ServiceFailure>, times: number][] = [
  ['a refused key', [{ does: 'reject', status: 401 }], { reason: 'key_refused' }, 1],
  [
    'a rate limit longer than a learner waits',
    [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
    { reason: 'busy', retryAfterMs: 60_000 },
    1,
  ],
  ['a lasting server error', [{ does: 'reject', status: 500, times: 3 }], { reason: 'unreachable' }, 3],
  ['an unknown path', [{ does: 'reject', status: 404 }], { reason: 'unreachable' }, 1],
  ['a missing first byte', [{ does: 'answer_late', ms: 10_000 }], { reason: 'unreachable' }, 1],
  ['silence', [{ does: 'fall_silent', afterEvents: 0 }], { reason: 'unreachable' }, 1],
  ['a connection that always drops', [{ does: 'cut', afterEvents: 0, times: 3 }], { reason: 'unreachable' }, 3],
];

describe('the transcriber', () => {
  const speech = Buffer.from(Int16Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 9) * 8_000).buffer);
  let chargedPasses: RecognitionPass[] = [];
  beforeEach(() => {
    chargedPasses = [];
  });
  const heard = async (pass: RecognitionPass): Promise<void> => void chargedPasses.push(pass);
  const hear = (pcm: Uint8Array, signal = new AbortController().signal) =>
    createOpenAiTranscriber(access('gpt-4o-mini-transcribe')).transcribe({
      pcm: [pcm.subarray(0, 501), pcm.subarray(501)],
      signal,
      heard,
    });

  it('sends a second of audio as WAV and returns the transcript', async () => {
    fake.play({ does: 'answer', text: ' I would like a naïve café. 你好 ' });
    expect(await hear(speech)).toBe('I would like a naïve café. 你好');
    expect(fake.calls[0]?.body).toMatchObject({
      model: 'gpt-4o-mini-transcribe',
      language: 'en',
      response_format: 'json',
    });
    expect(fake.calls[0]?.body['file']).toHaveLength(32_044);
  });

  it('returns nothing for silence and sends no request for a click', async () => {
    expect(await hear(Buffer.alloc(32_000))).toBe('');
    expect(await hear(speech.subarray(0, 3_200))).toBe('');
    expect(fake.calls).toHaveLength(1);
    expect(chargedPasses).toEqual([{ seconds: 1, isScored: false }]);
  });

  it.each<[string, ScriptStep[], number]>([
    ['is rejected', [{ does: 'reject', status: 401 }], 0],
    ['is rejected and retried', [{ does: 'reject', status: 500 }], 1],
    ['is malformed and retried', [{ does: 'garble_json' }], 2],
    ['always drops', [{ does: 'cut', afterEvents: 0, times: 3 }], 3],
    ['never arrives', [{ does: 'answer_late', ms: 10_000 }], 1],
  ])('an answer that %s is charged as often as audio was processed', async (_what, steps, times) => {
    playSteps(steps);
    await hear(speech).catch(() => undefined);
    expect(chargedPasses).toHaveLength(times);
  });

  it.each([
    ...failures,
    ['truncated JSON, twice', [{ does: 'garble_json', times: 2 }], { reason: 'malformed' }, 2],
    ['another content type, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
  ] as typeof failures)('reports %s as a ServiceFailure', async (_what, steps, failure, times) => {
    playSteps(steps);
    const thrown = await hear(speech).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ServiceFailure);
    expect(thrown).toMatchObject(failure);
    expect(fake.calls).toHaveLength(times);
  });

  it('retries after a server error', async () => {
    fake.play({ does: 'reject', status: 500 }, { does: 'answer', text: 'hello' });
    expect(await hear(speech)).toBe('hello');
  });

  it('aborts the request when the learner leaves', async () => {
    fake.play({ does: 'answer_late', ms: 10_000 });
    const abortController = new AbortController();
    const answer = hear(speech, abortController.signal).catch((error: unknown) => error);
    await expect.poll(() => fake.calls.length, { interval: 5 }).toBe(1);
    abortController.abort('left');
    expect(await answer).toBe('left');
    await expectHangUp();
    expect(chargedPasses).toHaveLength(1);
  });
});

describe('the synthesiser', () => {
  const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
  let chargedUtterances = 0;
  beforeEach(() => {
    chargedUtterances = 0;
  });
  const speak = (
    overrides: Partial<CoachVoice> = {},
    signal = new AbortController().signal,
    model = 'gpt-4o-mini-tts',
  ) =>
    createOpenAiSynthesiser(access(model)).speak({
      text: 'Good morning, Anna.',
      voice: { ...VOICE, ...overrides },
      signal,
      spoken: async () => {
        chargedUtterances += 1;
      },
    });

  async function listen(pieces: AsyncIterable<Uint8Array>): Promise<{ pieces: Uint8Array[]; thrown: unknown }> {
    const heard: Uint8Array[] = [];
    try {
      for await (const piece of pieces) heard.push(piece);
      return { pieces: heard, thrown: null };
    } catch (error) {
      return { pieces: heard, thrown: error };
    }
  }
  const bytesOf = (pieces: readonly Uint8Array[]): number =>
    pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

  it('streams whole samples without losing any', async () => {
    const { pieces, thrown } = await listen(speak());
    expect(thrown).toBeNull();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.filter(({ byteLength }) => byteLength % 2 !== 0)).toEqual([]);
    expect(bytesOf(pieces)).toBe(Math.round('Good morning, Anna.'.length * 0.06 * 24_000) * 2);
    const sound = Buffer.concat(pieces);
    const steps = Array.from({ length: sound.length / 2 - 1 }, (_, at) =>
      Math.abs(sound.readInt16LE(at * 2) - sound.readInt16LE(at * 2 + 2)),
    );
    // A misplaced byte would be an audible click.
    expect(Math.max(...steps)).toBeLessThan(300);
  });

  it.each([
    ['female', 'en-GB', 'shimmer', 'United Kingdom'],
    ['female', 'en-US', 'coral', 'United States'],
    ['male', 'en-IN', 'onyx', 'India'],
    ['male', 'en-NZ', 'ash', 'New Zealand'],
  ] as const)('gives a %s coach from %s a voice and an accent', async (gender, locale, voice, place) => {
    await listen(speak({ gender, locale, rate: 1.2 }));
    expect(fake.calls[0]?.body).toMatchObject({
      voice,
      speed: 1.2,
      response_format: 'pcm',
      instructions: expect.stringContaining(place),
    });
  });

  it('sends no accent to models or locales without one', async () => {
    await listen(speak({}, undefined, 'tts-1-hd'));
    await listen(speak({ locale: 'en' }));
    for (const { body } of fake.calls) expect(body).not.toHaveProperty('instructions');
  });

  it.each([
    ...failures,
    ['another content type, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
  ] as typeof failures)('reports %s as a ServiceFailure', async (_what, steps, failure, times) => {
    playSteps(steps);
    const { pieces, thrown } = await listen(speak());
    expect(thrown).toBeInstanceOf(ServiceFailure);
    expect(thrown).toMatchObject(failure);
    expect(pieces).toEqual([]);
    expect(fake.calls).toHaveLength(times);
  });

  it.each([
    ['dropped', { does: 'cut', afterEvents: 2 }],
    ['went silent', { does: 'fall_silent', afterEvents: 2 }],
  ] as [string, ScriptStep][])('does not restart an utterance that %s', async (_what, step) => {
    playSteps([step]);
    const { pieces, thrown } = await listen(speak());
    expect(pieces.length).toBeGreaterThan(0);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
    expect(fake.calls).toHaveLength(1);
  });

  it('aborts the request when the learner leaves or the consumer stops', async () => {
    fake.play({ does: 'fall_silent', afterEvents: 2, times: 2 });
    const abortController = new AbortController();
    const pieces = speak({}, abortController.signal)[Symbol.asyncIterator]();
    await pieces.next();
    abortController.abort('left');
    await expect(async () => {
      for (;;) if ((await pieces.next()).done === true) return;
    }).rejects.toBe('left');
    await expectHangUp();
    for await (const piece of speak()) if (piece.byteLength > 0) break;
    await expectHangUp();
    expect(fake.calls).toHaveLength(2);
    // Both utterances had started.
    expect(chargedUtterances).toBe(2);
  });

  it.each<[string, ScriptStep[], number]>([
    ['is spoken', [], 1],
    ['is rejected', [{ does: 'reject', status: 401 }], 0],
    ['stops before its first audio', [{ does: 'fall_silent', afterEvents: 0 }], 1],
    ['drops before its first audio, then is spoken', [{ does: 'cut', afterEvents: 0 }], 2],
    ['drops in the middle', [{ does: 'cut', afterEvents: 2 }], 1],
  ])('an utterance that %s is charged as often as it was accepted', async (_what, steps, times) => {
    playSteps(steps);
    await listen(speak());
    expect(chargedUtterances).toBe(times);
  });
});
