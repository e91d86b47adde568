/** Azure charges every pass of audio and every utterance that it received, however they ended. */
import type { CoachVoice } from '@parley/domain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { synthesiseSpeech, concatAudio, repeatToLength, silence } from './test-kit/speech-audio.ts';
import { startAzureFixture } from './test-kit/azure-fixture.ts';
import type { CallScript } from '@parley/fakes/azure-speech/index.ts';

const TEXT = 'I would like a cup of tea, please.';
const NEVER_MS = 60_000;
const IMPATIENT = { connectMs: 400, answerMs: 400 };

let voice: Uint8Array;
let seconds: number;
beforeAll(async () => {
  voice = await synthesiseSpeech(TEXT);
  seconds = voice.byteLength / 32_000;
});

describe('a turn', () => {
  it('that was read aloud is charged as one pass', async () => {
    const { say, passes: chargedPasses } = await startAzureFixture();
    await say(voice, { referenceText: TEXT });
    expect(chargedPasses).toEqual([{ seconds, isScored: true }]);
  });

  it('of free speech is charged as two passes: transcribed, then assessed', async () => {
    const { say, passes: chargedPasses, calls } = await startAzureFixture();
    await say(voice, { referenceText: null });
    expect(calls).toHaveLength(2);
    expect(chargedPasses).toEqual([
      { seconds, isScored: false },
      { seconds, isScored: true },
    ]);
  });

  it('whose pause was taken for its end is charged as two passes', async () => {
    const { say, passes: chargedPasses, calls } = await startAzureFixture({ script: [{ stopsAtMs: 1_000 }] });
    await say(concatAudio(repeatToLength(voice, 1_900), silence(700), repeatToLength(voice, 1_900)), {
      referenceText: TEXT,
    });
    expect(calls).toHaveLength(2);
    expect(chargedPasses).toHaveLength(2);
  });

  it.each<[string, CallScript[], number]>([
    ['is refused', [{ refuse: 401 }], 0],
    ['is refused, then accepted', [{ refuse: 429 }], 1],
    ['never gets a connection', [{ openAfterMs: NEVER_MS }, { openAfterMs: NEVER_MS }], 0],
    ['drops twice', [{ cutAfterBytes: 16_000 }, { cutAfterBytes: 16_000 }], 2],
    ['is never answered', [{ answerAfterMs: NEVER_MS }, { answerAfterMs: NEVER_MS }], 2],
    ['gets an answer that is not JSON', [{ malformed: true }], 1],
  ])('that %s is charged for the audio sent', async (_what, script, times) => {
    const { say, passes: chargedPasses } = await startAzureFixture({ script }, IMPATIENT);
    await say(voice, { referenceText: TEXT }).catch(() => undefined);
    expect(chargedPasses).toEqual(Array.from({ length: times }, () => ({ seconds, isScored: true })));
  });

  it('that is abandoned is charged for the audio sent', async () => {
    const { assessor, passes: chargedPasses, calls } = await startAzureFixture();
    const abortController = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: abortController.signal });
    stream.write(voice.subarray(0, 16_000));
    await vi.waitFor(() => expect(calls[0]?.audioBytes).toBeGreaterThan(0));
    abortController.abort();
    await vi.waitFor(() => expect(chargedPasses).toEqual([{ seconds: 0.5, isScored: true }]));
  });

  it('that is only transcribed is charged as one pass', async () => {
    const { transcriber, passes: chargedPasses } = await startAzureFixture();
    await transcriber.transcribe({ pcm: voice, signal: new AbortController().signal });
    expect(chargedPasses).toEqual([{ seconds, isScored: false }]);
  });
});

describe("a coach's utterance", () => {
  const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };

  it.each<[string, CallScript[], number]>([
    ['is spoken', [], 1],
    ['is refused', [{ refuse: 401 }], 0],
    ['is refused, then spoken', [{ refuse: 500 }], 1],
    ['drops in the middle', [{ cutAfterBytes: 9_600 }], 1],
    ['never starts', [{ answerAfterMs: NEVER_MS }, { answerAfterMs: NEVER_MS }], 2],
  ])('that %s is charged as often as it was sent', async (_what, script, times) => {
    const { synthesiser, chargedUtteranceCount } = await startAzureFixture({ script }, IMPATIENT);
    const speaking = async (): Promise<void> => {
      for await (const piece of synthesiser.speak({
        text: TEXT,
        voice: VOICE,
        signal: new AbortController().signal,
      }))
        expect(piece.length).toBeGreaterThan(0);
    };
    await speaking().catch(() => undefined);
    expect(chargedUtteranceCount()).toBe(times);
  });

  it('is charged once when nothing consumes it any more', async () => {
    const { synthesiser, chargedUtteranceCount } = await startAzureFixture();
    const { signal } = new AbortController();
    for await (const piece of synthesiser.speak({ text: TEXT.repeat(100), voice: VOICE, signal }))
      if (piece.length > 0) break;
    expect(chargedUtteranceCount()).toBe(1);
  });
});
