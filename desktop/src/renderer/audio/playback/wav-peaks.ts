/** Computes the peaks of a 16-bit mono WAV for drawing its waveform. */

const HEADER_BYTES = 44;

/** Returns at most `count` values from 0 to 1; the loudest is 1. */
export function wavPeaks(wav: ArrayBuffer, count: number): number[] {
  const samples = new Int16Array(wav, HEADER_BYTES, Math.max(0, Math.floor((wav.byteLength - HEADER_BYTES) / 2)));
  const size = Math.max(1, Math.floor(samples.length / count));
  const peaks = Array.from({ length: Math.min(count, Math.ceil(samples.length / size)) }, (_, index) => {
    let peak = 0;
    for (const sample of samples.subarray(index * size, (index + 1) * size)) peak = Math.max(peak, Math.abs(sample));
    return peak;
  });
  const loudest = Math.max(1, ...peaks);
  return peaks.map((peak) => peak / loudest);
}

const SAMPLES_PER_MS = 16;
const BYTES_PER_MS = SAMPLES_PER_MS * 2;

/** Cuts a range out of a 16-bit mono WAV at 16 kHz. The header is not changed, because only the samples are read. */
export function clipOfWav(wav: ArrayBuffer, { startMs, endMs }: { startMs: number; endMs: number }): ArrayBuffer {
  const from = HEADER_BYTES + Math.round(startMs) * BYTES_PER_MS;
  const to = HEADER_BYTES + Math.round(endMs) * BYTES_PER_MS;
  const clip = new Uint8Array(HEADER_BYTES + Math.max(0, Math.min(to, wav.byteLength) - from));
  clip.set(new Uint8Array(wav.slice(0, HEADER_BYTES)));
  clip.set(new Uint8Array(wav.slice(from, to)), HEADER_BYTES);
  return clip.buffer;
}

/** The peak of each interval of `binMs` in a 16-bit mono WAV at 16 kHz, from 0 to 1; the loudest is 1. */
export function wavEnvelope(wav: ArrayBuffer, binMs: number): number[] {
  const durationMs = Math.max(0, wav.byteLength - HEADER_BYTES) / BYTES_PER_MS;
  const peaks = Array.from({ length: Math.floor(durationMs / binMs) }, (_, index) => {
    const samples = new Int16Array(wav, HEADER_BYTES + index * binMs * BYTES_PER_MS, binMs * SAMPLES_PER_MS);
    let peak = 0;
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    return peak;
  });
  const loudest = Math.max(1, ...peaks);
  return peaks.map((peak) => peak / loudest);
}
