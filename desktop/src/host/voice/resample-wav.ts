/** Reads the samples of a 16-bit mono WAV faster or slower, which shifts pitch and resonances together. */

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;
const RIFF_SIZE_AT = 4;
const DATA_SIZE_AT = 40;

/** Cubic interpolation between samples; the sampling rate stays the same. */
export function resampleWav(wav: Uint8Array, factor: number): Uint8Array {
  if (Math.abs(factor - 1) < 0.005 || wav.byteLength <= HEADER_BYTES) return wav;
  const source = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  const count = Math.floor((wav.byteLength - HEADER_BYTES) / SAMPLE_BYTES);
  const sample = (at: number): number =>
    source.getInt16(HEADER_BYTES + Math.max(0, Math.min(count - 1, at)) * SAMPLE_BYTES, true);
  const length = Math.floor(count / factor);
  const result = new Uint8Array(HEADER_BYTES + length * SAMPLE_BYTES);
  result.set(wav.subarray(0, HEADER_BYTES));
  const target = new DataView(result.buffer);
  target.setUint32(RIFF_SIZE_AT, result.byteLength - 8, true);
  target.setUint32(DATA_SIZE_AT, length * SAMPLE_BYTES, true);
  for (let index = 0; index < length; index += 1) {
    const at = index * factor;
    const before = Math.floor(at);
    const value = interpolate(at - before, [
      sample(before - 1),
      sample(before),
      sample(before + 1),
      sample(before + 2),
    ]);
    target.setInt16(HEADER_BYTES + index * SAMPLE_BYTES, Math.max(-32_768, Math.min(32_767, Math.round(value))), true);
  }
  return result;
}

/** Catmull-Rom spline through four samples, between the second and the third. */
const interpolate = (t: number, [a, b, c, d]: readonly [number, number, number, number]): number =>
  b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
