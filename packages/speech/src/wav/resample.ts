/** Changes the sample rate with a windowed sinc, so that nothing above the new band folds back into speech. */

const ZERO_CROSSINGS = 16;
const PHASES = 512;
/** Of the lower Nyquist frequency: the rest is the filter's slope. */
const PASS_BAND = 0.94;

/** Resamples a whole signal; both rates in Hz. Smith, "Digital Audio Resampling Home Page" (CCRMA). */
export function resample(input: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return input;
  const ratio = fromHz / toHz;
  const cutoff = PASS_BAND * Math.min(1, toHz / fromHz);
  const halfWidth = ZERO_CROSSINGS / cutoff;
  const kernel = sincKernel(halfWidth, cutoff);
  const output = new Float32Array(Math.max(1, Math.round(input.length / ratio)));
  for (let index = 0; index < output.length; index += 1) {
    const centre = index * ratio;
    const first = Math.max(0, Math.ceil(centre - halfWidth));
    const last = Math.min(input.length - 1, Math.floor(centre + halfWidth));
    let sum = 0;
    for (let at = first; at <= last; at += 1)
      sum += (input[at] ?? 0) * (kernel[Math.round(Math.abs(at - centre) * PHASES)] ?? 0);
    output[index] = sum;
  }
  return output;
}

/** Half of a symmetric Blackman-windowed sinc, `PHASES` points an input sample. */
function sincKernel(halfWidth: number, cutoff: number): Float32Array {
  const kernel = new Float32Array(Math.ceil(halfWidth * PHASES) + 2);
  for (let index = 0; index < kernel.length; index += 1) {
    const distance = index / PHASES;
    if (distance >= halfWidth) break;
    const phase = (distance / halfWidth) * Math.PI;
    const window = 0.42 + 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase);
    const x = Math.PI * distance * cutoff;
    kernel[index] = cutoff * window * (x === 0 ? 1 : Math.sin(x) / x);
  }
  return kernel;
}
