import { describe, expect, it } from 'vitest';
import { packCoachAudio, RealtimeServerMessage, RealtimeClientMessage, unpackCoachAudio } from './realtime.ts';

describe('packed coach audio', () => {
  it('survives packing and unpacking at any memory offset', () => {
    const pcm = Uint8Array.from([1, 2, 3, 4]);
    const frame = packCoachAudio(70_000, pcm);
    const elsewhere = new Uint8Array(frame.byteLength + 3);
    elsewhere.set(frame, 3);
    expect(unpackCoachAudio(elsewhere.subarray(3))).toEqual({ utteranceNumber: 70_000, pcm });
  });

  it.each([0, 3, 5])('is rejected when a frame has %i bytes', (bytes) => {
    expect(unpackCoachAudio(new Uint8Array(bytes))).toBeNull();
  });
});

describe('realtime messages', () => {
  it('from a device reject unknown fields', () => {
    expect(RealtimeClientMessage.safeParse({ type: 'end', now: true }).success).toBe(false);
    expect(RealtimeClientMessage.safeParse({ type: 'played', itemId: 'item_1', audioMs: -1 }).success).toBe(false);
  });

  it('from a server accept new fields but only known error codes', () => {
    const started = { type: 'learnerStarted', fromMs: 40 };
    expect(RealtimeServerMessage.parse({ ...started, loudness: 3 })).toEqual(started);
    expect(RealtimeServerMessage.safeParse({ type: 'failed', code: 'quota.out' }).success).toBe(true);
    expect(RealtimeServerMessage.safeParse({ type: 'failed', code: 'constructor' }).success).toBe(false);
  });
});
