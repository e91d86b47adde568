import { describe, expect, it } from 'vitest';
import { packCoachAudio, RealtimeDown, RealtimeUp, unpackCoachAudio } from './realtime.ts';

describe('the coach’s sound', () => {
  it('comes back as it was packed, wherever the frame lies in memory', () => {
    const pcm = Uint8Array.from([1, 2, 3, 4]);
    const frame = packCoachAudio(70_000, pcm);
    const elsewhere = new Uint8Array(frame.byteLength + 3);
    elsewhere.set(frame, 3);
    expect(unpackCoachAudio(elsewhere.subarray(3))).toEqual({ line: 70_000, pcm });
  });

  it.each([0, 3, 5])('is not a frame of %i bytes', (bytes) => {
    expect(unpackCoachAudio(new Uint8Array(bytes))).toBeNull();
  });
});

describe('the messages', () => {
  it('of a device have no fields that nobody named', () => {
    expect(RealtimeUp.safeParse({ type: 'end', now: true }).success).toBe(false);
    expect(RealtimeUp.safeParse({ type: 'played', itemId: 'item_1', audioMs: -1 }).success).toBe(false);
  });

  it('of a server may grow, but fail only with codes that there are', () => {
    const started = { type: 'learnerStarted', fromMs: 40 };
    expect(RealtimeDown.parse({ ...started, loudness: 3 })).toEqual(started);
    expect(RealtimeDown.safeParse({ type: 'failed', code: 'quota.out' }).success).toBe(true);
    expect(RealtimeDown.safeParse({ type: 'failed', code: 'constructor' }).success).toBe(false);
  });
});
