/** Short-time power spectra with an in-place radix-2 FFT of fixed size and precomputed tables. */

export interface PowerSpectrum {
  readonly bins: number;
  /** Writes |FFT|² of `frame` (at most `size` samples, zero-padded) into `power`. */
  readonly into: (frame: Float64Array, power: Float64Array) => void;
}

/** Cooley and Tukey (1965). `size` is a power of two, and there are `size / 2 + 1` bins. */
export function powerSpectrum(size: number): PowerSpectrum {
  const bits = Math.log2(size);
  const reversed = Uint16Array.from({ length: size }, (_, index) => {
    let out = 0;
    for (let bit = 0; bit < bits; bit += 1) if (index & (1 << bit)) out |= 1 << (bits - 1 - bit);
    return out;
  });
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / size));
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  const bins = size / 2 + 1;

  const into = (frame: Float64Array, power: Float64Array): void => {
    for (let index = 0; index < size; index += 1) {
      re[index] = frame[reversed[index] as number] ?? 0;
      im[index] = 0;
    }
    for (let span = 2; span <= size; span *= 2) {
      const half = span / 2;
      const stride = size / span;
      for (let start = 0; start < size; start += span) {
        for (let k = 0; k < half; k += 1) {
          const low = start + k;
          const high = low + half;
          const wr = cosines[k * stride] as number;
          const wi = sines[k * stride] as number;
          const xr = (re[high] as number) * wr - (im[high] as number) * wi;
          const xi = (re[high] as number) * wi + (im[high] as number) * wr;
          re[high] = (re[low] as number) - xr;
          im[high] = (im[low] as number) - xi;
          re[low] = (re[low] as number) + xr;
          im[low] = (im[low] as number) + xi;
        }
      }
    }
    for (let bin = 0; bin < bins; bin += 1) power[bin] = (re[bin] as number) ** 2 + (im[bin] as number) ** 2;
  };
  return { bins, into };
}
