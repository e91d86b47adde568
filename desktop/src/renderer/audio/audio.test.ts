import { encodeWav, parseWav } from '@parley/speech';
import type { CoachVoice } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { wavOf } from '../practice/wav-of.ts';
import { chooseVoice, type SystemVoice } from './choose-voice.ts';
import { createChunkQueue } from './chunk-queue.ts';
import { hasEnded, listenOn, TURN_BEGIN, type TurnEndState, warningFor } from './turn-end.ts';
import { wavPeaks } from './wav-peaks.ts';

describe('chunks of sound', () => {
  const chunk = (value: number): ArrayBuffer => new Uint8Array([value]).buffer;
  const read = (pcm: ArrayBuffer): number => new Uint8Array(pcm)[0] ?? -1;

  it('arrive in order, each once, though the line fails now and then', async () => {
    const arrived: number[] = [];
    const failing = new Set([1, 4]);
    const queue = createChunkQueue(async (seq, pcm) => {
      if (failing.delete(seq)) throw new Error('cut');
      expect(read(pcm)).toBe(seq + 10);
      arrived.push(seq);
    });
    for (let index = 0; index < 6; index += 1) queue.add(chunk(index + 10));
    await queue.drain();
    expect(arrived).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('stop at the one that never arrives: nothing after it may take its place', async () => {
    const arrived: number[] = [];
    let stops = 0;
    const queue = createChunkQueue(
      async (seq) => {
        if (seq === 1) throw new Error('the host is gone');
        arrived.push(seq);
      },
      () => (stops += 1),
    );
    for (let index = 0; index < 4; index += 1) queue.add(chunk(index));
    await expect.poll(() => stops).toBe(1);
    await expect(queue.drain()).rejects.toThrow('the host is gone');
    expect(arrived).toEqual([0]);
  });

  it('are all sent when there were none', async () => {
    await expect(createChunkQueue(() => Promise.reject(new Error('never asked'))).drain()).resolves.toBeUndefined();
  });
});

describe('the end of a turn', () => {
  const listen = (...chunks: [level: number, durationMs: number][]): TurnEndState =>
    chunks.reduce((state, [level, durationMs]) => listenOn(state, { level, durationMs }), TURN_BEGIN);

  it('comes after the learner’s own patience, counted from the last speech', () => {
    const pausing = listen([0.1, 800], [0, 900], [0.1, 400], [0, 900]);
    expect(hasEnded(pausing, 1_000)).toBe(false);
    expect(hasEnded(listenOn(pausing, { level: 0, durationMs: 100 }), 1_000)).toBe(true);
  });

  it('never comes before a word was said, nor by itself where only the button ends it', () => {
    expect(hasEnded(listen([0, 60_000]), 1_000)).toBe(false);
    expect(hasEnded(listen([0.2, 500], [0, 60_000]), null)).toBe(false);
  });

  it('warns of silence after four seconds, and of sound that breaks up at once', () => {
    expect(warningFor(listen([0, 3_900]), 0.01)).toBeNull();
    expect(warningFor(listen([0, 4_000]), 0.01)).toBe('nothing_heard');
    expect(warningFor(listen([0.1, 100], [0, 9_000]), 0.3)).toBeNull();
    expect(warningFor(listen([0.5, 100]), 0.99)).toBe('too_loud');
  });
});

describe('a coach’s voice', () => {
  const voice = (name: string, lang: string, localService = true): SystemVoice => ({ name, lang, localService });
  const wish = (gender: CoachVoice['gender'], locale: string): CoachVoice => ({ gender, locale, rate: 1, pitch: 1 });
  const voices = [
    voice('Anna', 'de-DE'),
    voice('Samantha', 'en-US'),
    voice('Daniel', 'en-GB'),
    voice('Google UK English Female', 'en-GB', false),
    voice('Microsoft Hazel', 'en_GB'),
    voice('Alex', 'en-US'),
  ];
  it.each([
    ['female', 'en-GB', 'Microsoft Hazel'],
    ['male', 'en-GB', 'Daniel'],
    ['female', 'en-US', 'Samantha'],
    ['male', 'en-US', 'Alex'],
    ['male', 'en-IE', 'Daniel'],
  ] as const)('%s of %s is %s', (gender, locale, expected) => {
    expect(chooseVoice(voices, wish(gender, locale))?.name).toBe(expected);
  });

  it('is none where no voice on this computer speaks English', () => {
    expect(chooseVoice(voices.slice(0, 1), wish('male', 'en-GB'))).toBeNull();
    expect(chooseVoice([voice('Cloud', 'en-GB', false)], wish('male', 'en-GB'))).toBeNull();
  });
});

describe('the picture of a recording', () => {
  it('follows its loudness, the loudest part full', () => {
    const pcm = Float32Array.from({ length: 16_000 }, (_, n) => (n < 8_000 ? 0.1 : 0.4) * (n % 2 === 0 ? 1 : -1));
    const peaks = wavPeaks(encodeWav(pcm).buffer as ArrayBuffer, 10);
    expect(peaks).toHaveLength(10);
    expect(peaks.slice(0, 5).every((peak) => Math.abs(peak - 0.25) < 0.01)).toBe(true);
    expect(peaks.slice(5)).toEqual([1, 1, 1, 1, 1]);
  });

  it('of silence and of nothing is flat', () => {
    expect(wavPeaks(encodeWav(new Float32Array(100)).buffer as ArrayBuffer, 4)).toEqual([0, 0, 0, 0]);
    expect(wavPeaks(encodeWav(new Float32Array(0)).buffer as ArrayBuffer, 4)).toEqual([]);
  });
});

it('a recording gets a header that any player reads', async () => {
  const pcm = new Uint8Array([1, 0, 2, 0, 255, 127]);
  const bytes = new Uint8Array(await (await wavOf(new Blob([pcm]))).arrayBuffer());
  expect(bytes.slice(44)).toEqual(pcm);
  expect(parseWav(bytes)).toMatchObject({ ok: true, value: { sampleRateHz: 16_000, channels: 1, truncated: false } });
});
