/** The outline of a 16-bit mono WAV, for drawing it. */

const HEADER_BYTES = 44;

/** `count` values 0-1, the loudest scaled to 1. */
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
