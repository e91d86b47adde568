/** The learner's sound of a call, as far back as somebody may still ask for it. Places on it are ms since its first sample. */
import { MAX_TURN_MS, PCM_SAMPLE_RATE_HZ } from '@parley/contract';

const BYTES_A_MS = (PCM_SAMPLE_RATE_HZ * 2) / 1_000;
/** The longest turn, and the time that its words may take to be written down. */
const HOLDS_MS = MAX_TURN_MS + 20_000;

export interface Tape {
  /** 16-bit mono PCM at 16 kHz. */
  append(pcm: Uint8Array): void;
  readonly endMs: number;
  /** What of it is still there. */
  cut(fromMs: number, toMs: number): Uint8Array;
}

export function createTape(): Tape {
  const pieces: { fromByte: number; pcm: Uint8Array }[] = [];
  let endByte = 0;
  const byteAt = (ms: number): number => Math.min(endByte, Math.max(0, Math.round((ms * BYTES_A_MS) / 2) * 2));
  return {
    append(pcm) {
      pieces.push({ fromByte: endByte, pcm });
      endByte += pcm.byteLength;
      while ((pieces[1]?.fromByte ?? endByte) <= endByte - HOLDS_MS * BYTES_A_MS) pieces.shift();
    },
    get endMs() {
      return endByte / BYTES_A_MS;
    },
    cut(fromMs, toMs) {
      const from = Math.max(byteAt(fromMs), pieces[0]?.fromByte ?? endByte);
      const to = Math.max(from, byteAt(toMs));
      const clip = new Uint8Array(to - from);
      for (const { fromByte, pcm } of pieces) {
        const first = Math.max(from, fromByte);
        const last = Math.min(to, fromByte + pcm.byteLength);
        if (first < last) clip.set(pcm.subarray(first - fromByte, last - fromByte), first - from);
      }
      return clip;
    },
  };
}
