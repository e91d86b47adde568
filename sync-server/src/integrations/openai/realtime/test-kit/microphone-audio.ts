/** Generates audio as a microphone would deliver it: 16-bit little-endian mono PCM at 24 kHz. */
import { syllables } from '@parley/test-kit';
import type { AudioSpan } from '../../../../ports/speech/index.ts';
import { VoiceActivityMeter } from '../learner/voice-activity-meter.ts';

const SAMPLES_PER_MS = 24;

export const speech = (ms: number): Uint8Array => syllables(ms, SAMPLES_PER_MS);

/** The noise of a quiet room. */
export function silence(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * SAMPLES_PER_MS * 2);
  for (let at = 0; at < ms * SAMPLES_PER_MS; at += 1) pcm.writeInt16LE(((at * 7_919) % 61) - 30, at * 2);
  return pcm;
}

/** Measures a range of the sent audio: its duration and how much of it is speech. */
export function measureRange(
  sent: readonly Uint8Array[],
  { fromMs, toMs }: AudioSpan,
): { ms: number; voicedMs: number } {
  const [from, to] = [fromMs, toMs].map((ms) => Math.round(ms * SAMPLES_PER_MS) * 2);
  const range = Buffer.concat(sent).subarray(from, to);
  const meter = new VoiceActivityMeter();
  meter.addAudio(range);
  return { ms: range.byteLength / (SAMPLES_PER_MS * 2), voicedMs: meter.voicedMs };
}
