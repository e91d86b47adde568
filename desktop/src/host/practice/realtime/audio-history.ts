/**
 * Buffers the learner's audio for as long as a turn may still need it. Positions are milliseconds since the first
 * sample.
 */
import { MAX_TURN_MS, PCM_SAMPLE_RATE_HZ } from '@parley/contract';

const BYTES_PER_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;
/** The longest turn plus the time that its transcription may take. */
const HISTORY_MS = MAX_TURN_MS + 20_000;

export interface AudioHistory {
  /** 16-bit mono PCM at 16 kHz. */
  append(pcm: Uint8Array): void;
  readonly endMs: number;
  /** Returns the part of this range that is still buffered. */
  slice(fromMs: number, toMs: number): Uint8Array;
}

export function createAudioHistory(): AudioHistory {
  const chunks: { fromByte: number; pcm: Uint8Array }[] = [];
  let endByte = 0;
  const byteAt = (ms: number): number => Math.min(endByte, Math.max(0, Math.round((ms * BYTES_PER_MS) / 2) * 2));
  return {
    append(pcm) {
      chunks.push({ fromByte: endByte, pcm });
      endByte += pcm.byteLength;
      while ((chunks[1]?.fromByte ?? endByte) <= endByte - HISTORY_MS * BYTES_PER_MS) chunks.shift();
    },
    get endMs() {
      return endByte / BYTES_PER_MS;
    },
    slice(fromMs, toMs) {
      const from = Math.max(byteAt(fromMs), chunks[0]?.fromByte ?? endByte);
      const to = Math.max(from, byteAt(toMs));
      const clip = new Uint8Array(to - from);
      for (const { fromByte, pcm } of chunks) {
        const first = Math.max(from, fromByte);
        const last = Math.min(to, fromByte + pcm.byteLength);
        if (first < last) clip.set(pcm.subarray(first - fromByte, last - fromByte), first - from);
      }
      return clip;
    },
  };
}
