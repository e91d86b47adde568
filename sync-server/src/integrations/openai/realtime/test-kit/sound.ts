/** Sound as a microphone would give it: 16-bit little-endian mono PCM at 24 kHz. */
import type { SoundPlace } from '../../../../speech/index.ts';
import { VoiceMeter } from '../voice-meter.ts';

const SAMPLES_A_MS = 24;
const LOUD = 6_000;

/** Loud enough for anybody, with the syllables of speech. */
export function speech(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * SAMPLES_A_MS * 2);
  for (let at = 0; at < ms * SAMPLES_A_MS; at += 1) {
    const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * at) / (SAMPLES_A_MS * 180));
    pcm.writeInt16LE(Math.round(Math.sin((2 * Math.PI * 170 * at) / 24_000) * LOUD * syllable), at * 2);
  }
  return pcm;
}

/** A quiet room. */
export function silence(ms: number): Uint8Array {
  const pcm = Buffer.alloc(ms * SAMPLES_A_MS * 2);
  for (let at = 0; at < ms * SAMPLES_A_MS; at += 1) pcm.writeInt16LE(((at * 7_919) % 61) - 30, at * 2);
  return pcm;
}

/** What somebody who cuts the sound there would have: how long it is, and how much of it is speech. */
export function cutOut(sent: readonly Uint8Array[], { fromMs, toMs }: SoundPlace): { ms: number; voicedMs: number } {
  const [from, to] = [fromMs, toMs].map((ms) => Math.round(ms * SAMPLES_A_MS) * 2);
  const cut = Buffer.concat(sent).subarray(from, to);
  const meter = new VoiceMeter();
  meter.take(cut);
  return { ms: cut.byteLength / (SAMPLES_A_MS * 2), voicedMs: meter.voicedMs };
}
