/** Small edits of samples; 16 kHz mono. */
import { inspectAudio } from '@parley/speech';

export const SAMPLES_A_MS = 16;

export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const QUIET_MS = 100;

/** The quietest tenth of a second of a recording, to and fro. */
export function quiet(pcm: Float32Array, ms: number): Float32Array {
  const length = QUIET_MS * SAMPLES_A_MS;
  let quietest = 0;
  let least = Infinity;
  for (let at = 0; at + length <= pcm.length; at += length / 4) {
    const power = pcm.subarray(at, at + length).reduce((sum, sample) => sum + sample * sample, 0);
    if (power < least) [least, quietest] = [power, at];
  }
  return Float32Array.from({ length: ms * SAMPLES_A_MS }, (_, n) => {
    const there = n % (2 * length);
    return pcm[quietest + (there < length ? there : 2 * length - 1 - there)] ?? 0;
  });
}

/** Without the silence around it. */
export function spokenPart(pcm: Float32Array): Float32Array {
  const { speechSpan } = inspectAudio(pcm);
  return speechSpan === null ? pcm : pcm.subarray(speechSpan.startMs * SAMPLES_A_MS, speechSpan.endMs * SAMPLES_A_MS);
}
