/** Edits 16 kHz mono samples. */
import { inspectAudio } from '@parley/speech';

export const SAMPLES_PER_MS = 16;

export function concatenate(parts: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

const ROOM_TONE_MS = 100;

/** Returns room tone: the quietest tenth of a second of the recording, played forwards and backwards. */
export function roomTone(pcm: Float32Array, ms: number): Float32Array {
  const length = ROOM_TONE_MS * SAMPLES_PER_MS;
  let quietest = 0;
  let least = Infinity;
  for (let at = 0; at + length <= pcm.length; at += length / 4) {
    const power = pcm.subarray(at, at + length).reduce((sum, sample) => sum + sample * sample, 0);
    if (power < least) [least, quietest] = [power, at];
  }
  return Float32Array.from({ length: ms * SAMPLES_PER_MS }, (_, n) => {
    const offset = n % (2 * length);
    return pcm[quietest + (offset < length ? offset : 2 * length - 1 - offset)] ?? 0;
  });
}

/** Returns the recording without leading and trailing silence. */
export function trimSilence(pcm: Float32Array): Float32Array {
  const { speechSpan } = inspectAudio(pcm);
  return speechSpan === null
    ? pcm
    : pcm.subarray(speechSpan.startMs * SAMPLES_PER_MS, speechSpan.endMs * SAMPLES_PER_MS);
}
