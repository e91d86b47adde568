import { MAX_TURN_MS } from '@parley/contract';
import { encodeWav, parseWav } from '@parley/speech';
import { describe, expect, it } from 'vitest';
import { pcmToWav } from '../practice/microphone-check/pcm-to-wav.ts';
import { createChunkQueue } from './recording/chunk-queue.ts';
import {
  hasTurnEnded,
  withChunk,
  INITIAL_TURN_END_STATE,
  type TurnEndState,
  recordingWarning,
} from './recording/turn-end-detection.ts';
import { wavPeaks } from './playback/wav-peaks.ts';

describe('the chunk queue', () => {
  const chunk = (value: number): ArrayBuffer => new Uint8Array([value]).buffer;
  const firstByte = (pcm: ArrayBuffer): number => new Uint8Array(pcm)[0] ?? -1;

  it('sends chunks in order and once each despite failures', async () => {
    const arrived: number[] = [];
    const failing = new Set([1, 4]);
    const queue = createChunkQueue(async (seq, pcm) => {
      if (failing.delete(seq)) throw new Error('cut');
      expect(firstByte(pcm)).toBe(seq + 10);
      arrived.push(seq);
    });
    for (let index = 0; index < 6; index += 1) queue.add(chunk(index + 10));
    await queue.drain();
    expect(arrived).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('stops at a chunk that cannot be sent', async () => {
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

  it('drains at once when it is empty', async () => {
    await expect(createChunkQueue(() => Promise.reject(new Error('never asked'))).drain()).resolves.toBeUndefined();
  });
});

describe('turn end detection', () => {
  const stateAfter = (...chunks: [level: number, durationMs: number][]): TurnEndState =>
    chunks.reduce(
      (state, [level, durationMs]) => withChunk(state, { level, durationMs }, null),
      INITIAL_TURN_END_STATE,
    );
  /** In chunks of 100 ms, as the microphone delivers them. */
  const chunksOf = (level: number, durationMs: number): [number, number][] =>
    Array.from({ length: durationMs / 100 }, () => [level, 100]);

  it('ends a turn after the learner’s patience since the last speech', () => {
    const pausing = stateAfter([0.1, 800], [0, 900], [0.1, 400], [0, 900]);
    expect(hasTurnEnded(pausing, 1_000, null)).toBe(false);
    expect(hasTurnEnded(withChunk(pausing, { level: 0, durationMs: 100 }, null), 1_000, null)).toBe(true);
  });

  it('never ends a turn before speech or in button mode', () => {
    expect(hasTurnEnded(stateAfter([0, 60_000]), 1_000, null)).toBe(false);
    expect(hasTurnEnded(stateAfter([0, 60_000]), 'automatic', null)).toBe(false);
    expect(hasTurnEnded(stateAfter([0.2, 500], [0, 60_000]), null, null)).toBe(false);
  });

  it('automatically waits two seconds, and longer for a learner who pauses for longer', () => {
    const hasEnded = (...chunks: Parameters<typeof stateAfter>) =>
      hasTurnEnded(stateAfter(...chunks), 'automatic', null);
    expect(hasEnded([0.1, 800], [0, 1_900])).toBe(false);
    expect(hasEnded([0.1, 800], [0, 2_000])).toBe(true);
    expect(hasEnded([0.1, 800], [0, 1_800], [0.1, 400], [0, 2_600])).toBe(false);
    expect(hasEnded([0.1, 800], [0, 1_800], [0.1, 400], [0, 2_700])).toBe(true);
    // The silence before the first word does not count as a pause, and no pause makes it wait for more than four
    // seconds.
    expect(hasEnded([0, 5_000], [0.1, 800], [0, 2_000])).toBe(true);
    expect(hasEnded([0.1, 800], [0, 3_900], [0.1, 400], [0, 4_000])).toBe(true);
  });

  it('automatically ends soon after a whole expected answer', () => {
    const text = 'I finished the report.';
    const after = (said: number, silentMs: number) =>
      hasTurnEnded(stateAfter([0.1, 1_500], [0, silentMs]), 'automatic', { text, said });
    expect(after(text.length - 1, 1_000)).toBe(true);
    expect(after(text.length - 1, 900)).toBe(false);
    expect(after('I finished the'.length, 1_900)).toBe(false);
  });

  it('does not end after a click or a breath before the first word', () => {
    const click = [...chunksOf(0.001, 500), ...chunksOf(0.1, 100), ...chunksOf(0.001, 4_000)];
    expect(hasTurnEnded(stateAfter(...click), 'automatic', null)).toBe(false);
    expect(hasTurnEnded(stateAfter(...click, ...click, ...click), 'automatic', null)).toBe(false);
    const answer = [...chunksOf(0.1, 400), ...chunksOf(0.001, 2_000)];
    expect(hasTurnEnded(stateAfter(...click, ...answer), 'automatic', null)).toBe(true);
  });

  it('treats soft speech on a quiet microphone as speech', () => {
    const soft = [...chunksOf(0.0005, 500), ...chunksOf(0.02, 300), ...chunksOf(0.009, 2_500)];
    expect(hasTurnEnded(stateAfter(...soft), 'automatic', null)).toBe(false);
    expect(hasTurnEnded(stateAfter(...soft, ...chunksOf(0.0005, 2_000)), 'automatic', null)).toBe(true);
  });

  it('treats the steady noise of a room as silence, even when it starts in mid-turn', () => {
    const noisy = [...chunksOf(0.02, 1_000), ...chunksOf(0.1, 2_000), ...chunksOf(0.02, 2_000)];
    expect(hasTurnEnded(stateAfter(...noisy), 'automatic', null)).toBe(true);
    const fan = [...chunksOf(0.001, 1_000), ...chunksOf(0.1, 2_000), ...chunksOf(0.02, 14_000)];
    expect(hasTurnEnded(stateAfter(...fan), 'automatic', null)).toBe(true);
  });

  it('waits while the streaming recognition still makes progress', () => {
    const text = 'I finished the report yesterday.';
    const pausing = stateAfter([0.1, 800], [0, 1_900]);
    const followed = withChunk(pausing, { level: 0, durationMs: 100 }, { text, said: 10 });
    expect(hasTurnEnded(followed, 'automatic', { text, said: 10 })).toBe(false);
    const silent = chunksOf(0, 2_000).reduce(
      (state, [level, durationMs]) => withChunk(state, { level, durationMs }, { text, said: 10 }),
      followed,
    );
    expect(hasTurnEnded(silent, 'automatic', { text, said: 10 })).toBe(true);
  });

  it('warns before a recording reaches its limit', () => {
    expect(recordingWarning(stateAfter([0.1, MAX_TURN_MS - 16_000]), 0.3, null)).toBeNull();
    expect(recordingWarning(stateAfter([0.1, MAX_TURN_MS - 15_000]), 0.3, null)).toBe('almost_full');
  });

  it('warns of silence after four seconds and of clipping at once', () => {
    expect(recordingWarning(stateAfter([0, 3_900]), 0.01, null)).toBeNull();
    expect(recordingWarning(stateAfter([0, 4_000]), 0.01, null)).toBe('nothing_heard');
    expect(recordingWarning(stateAfter([0.1, 300], [0, 9_000]), 0.3, null)).toBeNull();
    expect(recordingWarning(stateAfter([0.5, 100]), 0.99, null)).toBe('too_loud');
  });

  it('warns when no silence ends the turn', () => {
    const loud = stateAfter(...chunksOf(0.1, 20_000));
    expect(recordingWarning(loud, 0.3, 'automatic')).toBe('no_silence');
    expect(recordingWarning(loud, 0.3, null)).toBeNull();
    const pausing = stateAfter(...chunksOf(0.1, 15_000), ...chunksOf(0, 500), ...chunksOf(0.1, 15_000));
    expect(recordingWarning(pausing, 0.3, 'automatic')).toBeNull();
  });
});

describe('waveform peaks', () => {
  it('follow the loudness, scaled to the loudest part', () => {
    const pcm = Float32Array.from({ length: 16_000 }, (_, n) => (n < 8_000 ? 0.1 : 0.4) * (n % 2 === 0 ? 1 : -1));
    const peaks = wavPeaks(encodeWav(pcm).buffer as ArrayBuffer, 10);
    expect(peaks).toHaveLength(10);
    expect(peaks.slice(0, 5).every((peak) => Math.abs(peak - 0.25) < 0.01)).toBe(true);
    expect(peaks.slice(5)).toEqual([1, 1, 1, 1, 1]);
  });

  it('are flat for silence and empty for no audio', () => {
    expect(wavPeaks(encodeWav(new Float32Array(100)).buffer as ArrayBuffer, 4)).toEqual([0, 0, 0, 0]);
    expect(wavPeaks(encodeWav(new Float32Array(0)).buffer as ArrayBuffer, 4)).toEqual([]);
  });
});

it('adds a valid WAV header to a recording', async () => {
  const pcm = new Uint8Array([1, 0, 2, 0, 255, 127]);
  const bytes = new Uint8Array(await (await pcmToWav(new Blob([pcm]))).arrayBuffer());
  expect(bytes.slice(44)).toEqual(pcm);
  expect(parseWav(bytes)).toMatchObject({ ok: true, value: { sampleRateHz: 16_000, channels: 1, truncated: false } });
});
