/** What Azure charges: every pass of sound through it, and every line that it was sent, however they ended. */
import type { CoachVoice } from '@parley/domain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { aVoice, joined, lasting, silence } from './test-kit/a-voice.ts';
import { azureScene } from './test-kit/scene.ts';
import type { TwinCallScript } from './twin/index.ts';

const TEXT = 'I would like a cup of tea, please.';
const NEVER_MS = 60_000;
const IMPATIENT = { connectMs: 400, answerMs: 400 };

let voice: Uint8Array;
let seconds: number;
beforeAll(async () => {
  voice = await aVoice(TEXT);
  seconds = voice.byteLength / 32_000;
});

describe('a turn', () => {
  it('that was read is one pass', async () => {
    const { say, passes } = await azureScene();
    await say(voice, { referenceText: TEXT });
    expect(passes).toEqual([{ seconds, isScored: true }]);
  });

  it('that was said freely is two: written down, then scored', async () => {
    const { say, passes, calls } = await azureScene();
    await say(voice, { referenceText: null });
    expect(calls).toHaveLength(2);
    expect(passes).toEqual([
      { seconds, isScored: false },
      { seconds, isScored: true },
    ]);
  });

  it('whose pause was taken for its end is two', async () => {
    const { say, passes, calls } = await azureScene({ script: [{ stopsAtMs: 1_000 }] });
    await say(joined(lasting(voice, 1_900), silence(700), lasting(voice, 1_900)), { referenceText: TEXT });
    expect(calls).toHaveLength(2);
    expect(passes).toHaveLength(2);
  });

  it.each<[string, TwinCallScript[], number]>([
    ['is refused', [{ refuse: 401 }], 0],
    ['is refused, then taken', [{ refuse: 429 }], 1],
    ['finds no connection', [{ openAfterMs: NEVER_MS }, { openAfterMs: NEVER_MS }], 0],
    ['breaks off twice', [{ cutAfterBytes: 16_000 }, { cutAfterBytes: 16_000 }], 2],
    ['is never answered', [{ answerAfterMs: NEVER_MS }, { answerAfterMs: NEVER_MS }], 2],
    ['is answered by what is no JSON', [{ malformed: true }], 1],
  ])('that %s is charged for what was heard', async (_what, script, times) => {
    const { say, passes } = await azureScene({ script }, IMPATIENT);
    await say(voice, { referenceText: TEXT }).catch(() => undefined);
    expect(passes).toEqual(Array.from({ length: times }, () => ({ seconds, isScored: true })));
  });

  it('that is left in the middle is charged as far as it came', async () => {
    const { assessor, passes, calls } = await azureScene();
    const leaving = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: leaving.signal });
    stream.write(voice.subarray(0, 16_000));
    await vi.waitFor(() => expect(calls[0]?.audioBytes).toBeGreaterThan(0));
    leaving.abort();
    await vi.waitFor(() => expect(passes).toEqual([{ seconds: 0.5, isScored: true }]));
  });

  it('that is only written down is one pass', async () => {
    const { transcriber, passes } = await azureScene();
    await transcriber.transcribe({ pcm: voice, signal: new AbortController().signal });
    expect(passes).toEqual([{ seconds, isScored: false }]);
  });
});

describe('a line of a coach', () => {
  const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };

  it.each<[string, TwinCallScript[], number]>([
    ['is spoken', [], 1],
    ['is refused', [{ refuse: 401 }], 0],
    ['is refused, then spoken', [{ refuse: 500 }], 1],
    ['breaks off in the middle', [{ cutAfterBytes: 9_600 }], 1],
    ['never sounds', [{ answerAfterMs: NEVER_MS }, { answerAfterMs: NEVER_MS }], 2],
  ])('that %s is charged as often as it went up', async (_what, script, times) => {
    const { synthesiser, linesSpoken } = await azureScene({ script }, IMPATIENT);
    const speaking = async (): Promise<void> => {
      for await (const piece of synthesiser.speak({
        text: TEXT,
        voice: VOICE,
        signal: new AbortController().signal,
      }))
        expect(piece.length).toBeGreaterThan(0);
    };
    await speaking().catch(() => undefined);
    expect(linesSpoken()).toBe(times);
  });

  it('to which nobody listens any more is charged once', async () => {
    const { synthesiser, linesSpoken } = await azureScene();
    const { signal } = new AbortController();
    for await (const piece of synthesiser.speak({ text: TEXT.repeat(100), voice: VOICE, signal }))
      if (piece.length > 0) break;
    expect(linesSpoken()).toBe(1);
  });
});
