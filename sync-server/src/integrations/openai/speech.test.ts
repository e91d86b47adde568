import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CoachVoice } from '@parley/domain';
import { type HeardPass, SpeechFailure } from '../../speech/index.ts';
import { createOpenAiSynthesiser, createOpenAiTranscriber } from './index.ts';
import { PATIENT, timeoutsFor } from './test-kit/asked.ts';
import { type OpenAiTwin, startOpenAiTwin, type TwinStep } from './twin/index.ts';

let twin: OpenAiTwin;
let timeouts: typeof PATIENT;
beforeEach(async () => {
  // So that sound comes in the pieces in which it is sent, of odd lengths.
  twin = await startOpenAiTwin({ paceMs: 2 });
  timeouts = PATIENT;
});
afterEach(() => twin.close());

const access = (model: string) => ({ apiKey: twin.key, baseUrl: twin.url, model, timeouts });
const go = (steps: readonly TwinStep[]): void => {
  timeouts = timeoutsFor(steps);
  twin.play(...steps);
};
const isHungUp = () => expect.poll(() => twin.calls.at(-1)?.state, { timeout: 2_000, interval: 5 }).toBe('hung_up');

const failures: [what: string, steps: TwinStep[], failure: Partial<SpeechFailure>, times: number][] = [
  ['a refused key', [{ does: 'reject', status: 401 }], { reason: 'key_refused' }, 1],
  [
    'a limit for longer than a learner waits',
    [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
    { reason: 'busy', retryAfterMs: 60_000 },
    1,
  ],
  ['a server that stays broken', [{ does: 'reject', status: 500, times: 3 }], { reason: 'unreachable' }, 3],
  ['a path that is not known', [{ does: 'reject', status: 404 }], { reason: 'unreachable' }, 1],
  ['a first byte that does not come', [{ does: 'answer_late', ms: 10_000 }], { reason: 'unreachable' }, 1],
  ['silence', [{ does: 'fall_silent', afterEvents: 0 }], { reason: 'unreachable' }, 1],
  ['a line that is always cut', [{ does: 'cut', afterEvents: 0, times: 3 }], { reason: 'unreachable' }, 3],
];

describe('the transcriber', () => {
  const speech = Buffer.from(Int16Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 9) * 8_000).buffer);
  let passes: HeardPass[] = [];
  beforeEach(() => {
    passes = [];
  });
  const heard = async (pass: HeardPass): Promise<void> => void passes.push(pass);
  const hear = (pcm: Uint8Array, signal = new AbortController().signal) =>
    createOpenAiTranscriber(access('gpt-4o-mini-transcribe')).transcribe({ pcm, signal, heard });

  it('sends a second of sound as a WAV file and writes down what was said', async () => {
    twin.play({ does: 'answer', text: ' I would like a naïve café. 你好 ' });
    expect(await hear(speech)).toBe('I would like a naïve café. 你好');
    expect(twin.calls[0]?.body).toMatchObject({
      model: 'gpt-4o-mini-transcribe',
      language: 'en',
      response_format: 'json',
    });
    expect(twin.calls[0]?.body['file']).toHaveLength(32_044);
  });

  it('hears nothing in silence, and does not ask about a click', async () => {
    expect(await hear(Buffer.alloc(32_000))).toBe('');
    expect(await hear(speech.subarray(0, 3_200))).toBe('');
    expect(twin.calls).toHaveLength(1);
    expect(passes).toEqual([{ seconds: 1, isScored: false }]);
  });

  it.each<[string, TwinStep[], number]>([
    ['is turned away', [{ does: 'reject', status: 401 }], 0],
    ['is turned away and asked again', [{ does: 'reject', status: 500 }], 1],
    ['comes garbled and is asked for again', [{ does: 'garble_json' }], 2],
    ['is always cut', [{ does: 'cut', afterEvents: 0, times: 3 }], 3],
    ['never comes', [{ does: 'answer_late', ms: 10_000 }], 1],
  ])('what %s is charged as often as it was heard', async (_what, steps, times) => {
    go(steps);
    await hear(speech).catch(() => undefined);
    expect(passes).toHaveLength(times);
  });

  it.each([
    ...failures,
    ['JSON that ends in the middle, twice', [{ does: 'garble_json', times: 2 }], { reason: 'malformed' }, 2],
    ['another page than was asked for, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
  ] as typeof failures)('%s is a failure of ours', async (_what, steps, failure, times) => {
    go(steps);
    const thrown = await hear(speech).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(SpeechFailure);
    expect(thrown).toMatchObject(failure);
    expect(twin.calls).toHaveLength(times);
  });

  it('asks again after a broken answer', async () => {
    twin.play({ does: 'reject', status: 500 }, { does: 'answer', text: 'hello' });
    expect(await hear(speech)).toBe('hello');
  });

  it('ends the call upstream when the learner leaves', async () => {
    twin.play({ does: 'answer_late', ms: 10_000 });
    const leaving = new AbortController();
    const answer = hear(speech, leaving.signal).catch((error: unknown) => error);
    await expect.poll(() => twin.calls.length, { interval: 5 }).toBe(1);
    leaving.abort('left');
    expect(await answer).toBe('left');
    await isHungUp();
    expect(passes).toHaveLength(1);
  });
});

describe('the synthesiser', () => {
  const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
  let lines = 0;
  beforeEach(() => {
    lines = 0;
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
        lines += 1;
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

  it('speaks in pieces of whole samples, of which none is lost', async () => {
    const { pieces, thrown } = await listen(speak());
    expect(thrown).toBeNull();
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.filter(({ byteLength }) => byteLength % 2 !== 0)).toEqual([]);
    expect(bytesOf(pieces)).toBe(Math.round('Good morning, Anna.'.length * 0.06 * 24_000) * 2);
    const sound = Buffer.concat(pieces);
    const steps = Array.from({ length: sound.length / 2 - 1 }, (_, at) =>
      Math.abs(sound.readInt16LE(at * 2) - sound.readInt16LE(at * 2 + 2)),
    );
    // A byte out of place would be heard as a bang.
    expect(Math.max(...steps)).toBeLessThan(300);
  });

  it.each([
    ['female', 'en-GB', 'shimmer', 'United Kingdom'],
    ['female', 'en-US', 'coral', 'United States'],
    ['male', 'en-IN', 'onyx', 'India'],
    ['male', 'en-NZ', 'ash', 'New Zealand'],
  ] as const)('gives a %s coach from %s a voice and an accent', async (gender, locale, voice, place) => {
    await listen(speak({ gender, locale, rate: 1.2 }));
    expect(twin.calls[0]?.body).toMatchObject({
      voice,
      speed: 1.2,
      response_format: 'pcm',
      instructions: expect.stringContaining(place),
    });
  });

  it('does not tell an accent to a model that cannot be told, nor where there is none', async () => {
    await listen(speak({}, undefined, 'tts-1-hd'));
    await listen(speak({ locale: 'en' }));
    for (const { body } of twin.calls) expect(body).not.toHaveProperty('instructions');
  });

  it.each([
    ...failures,
    ['another page than was asked for, twice', [{ does: 'garble_stream', times: 2 }], { reason: 'malformed' }, 2],
  ] as typeof failures)('%s is a failure of ours', async (_what, steps, failure, times) => {
    go(steps);
    const { pieces, thrown } = await listen(speak());
    expect(thrown).toBeInstanceOf(SpeechFailure);
    expect(thrown).toMatchObject(failure);
    expect(pieces).toEqual([]);
    expect(twin.calls).toHaveLength(times);
  });

  it.each([
    ['cut', { does: 'cut', afterEvents: 2 }],
    ['silent', { does: 'fall_silent', afterEvents: 2 }],
  ] as [string, TwinStep][])('does not begin again after a line that went %s', async (_what, step) => {
    go([step]);
    const { pieces, thrown } = await listen(speak());
    expect(pieces.length).toBeGreaterThan(0);
    expect(thrown).toMatchObject({ reason: 'unreachable' });
    expect(twin.calls).toHaveLength(1);
  });

  it('ends the call upstream when the learner leaves, and when nobody listens', async () => {
    twin.play({ does: 'fall_silent', afterEvents: 2, times: 2 });
    const leaving = new AbortController();
    const pieces = speak({}, leaving.signal)[Symbol.asyncIterator]();
    await pieces.next();
    leaving.abort('left');
    await expect(async () => {
      for (;;) if ((await pieces.next()).done === true) return;
    }).rejects.toBe('left');
    await isHungUp();
    for await (const piece of speak()) if (piece.byteLength > 0) break;
    await isHungUp();
    expect(twin.calls).toHaveLength(2);
    // Both had begun to speak.
    expect(lines).toBe(2);
  });

  it.each<[string, TwinStep[], number]>([
    ['is spoken', [], 1],
    ['is turned away', [{ does: 'reject', status: 401 }], 0],
    ['goes silent before its first sound', [{ does: 'fall_silent', afterEvents: 0 }], 1],
    ['is cut before its first sound, then spoken', [{ does: 'cut', afterEvents: 0 }], 2],
    ['is cut in the middle', [{ does: 'cut', afterEvents: 2 }], 1],
  ])('a line that %s is charged as often as it was taken', async (_what, steps, times) => {
    go(steps);
    await listen(speak());
    expect(lines).toBe(times);
  });
});
