/** Resamples with a windowed sinc filter, which prevents aliasing. */

const ZERO_CROSSINGS = 16;
const PHASES = 512;
/** The pass band as a share of the lower Nyquist frequency; the rest is the filter's slope. */
const PASS_BAND = 0.94;

/** Resamples a complete signal; both rates are in Hz. Smith, "Digital Audio Resampling Home Page" (CCRMA). */
export function resample(input: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return input;
  const filter = filterBetween(fromHz, toHz);
  const output = new Float32Array(Math.max(1, Math.round(input.length / filter.ratio)));
  for (let index = 0; index < output.length; index += 1) output[index] = sampleAt(input, index * filter.ratio, filter);
  return output;
}

/** Resamples a stream. Output lags about a millisecond behind, until the following samples are known. */
export function createResampler(fromHz: number, toHz: number): (piece: Float32Array) => Float32Array {
  const filter = filterBetween(fromHz, toHz);
  let buffered = new Float32Array(0);
  /** `bufferedFrom` is the position of `buffered` in input samples; `produced` is the number of output samples. */
  let bufferedFrom = 0;
  let produced = 0;
  return (piece) => {
    const known = new Float32Array(buffered.length + piece.length);
    known.set(buffered);
    known.set(piece, buffered.length);
    const until = bufferedFrom + known.length - 1 - filter.halfWidth;
    const count = Math.max(0, Math.floor(until / filter.ratio) + 1 - produced);
    const output = new Float32Array(count);
    for (let index = 0; index < count; index += 1)
      output[index] = sampleAt(known, (produced + index) * filter.ratio - bufferedFrom, filter);
    produced += count;
    const needed = Math.max(bufferedFrom, Math.ceil(produced * filter.ratio - filter.halfWidth));
    buffered = known.slice(needed - bufferedFrom);
    bufferedFrom = needed;
    return output;
  };
}

interface Filter {
  /** Input samples per output sample. */
  ratio: number;
  halfWidth: number;
  kernel: Float32Array;
}

function filterBetween(fromHz: number, toHz: number): Filter {
  const cutoff = PASS_BAND * Math.min(1, toHz / fromHz);
  const halfWidth = ZERO_CROSSINGS / cutoff;
  return { ratio: fromHz / toHz, halfWidth, kernel: sincKernel(halfWidth, cutoff) };
}

function sampleAt(input: Float32Array, centre: number, { halfWidth, kernel }: Filter): number {
  const first = Math.max(0, Math.ceil(centre - halfWidth));
  const last = Math.min(input.length - 1, Math.floor(centre + halfWidth));
  let sum = 0;
  for (let at = first; at <= last; at += 1)
    sum += (input[at] ?? 0) * (kernel[Math.round(Math.abs(at - centre) * PHASES)] ?? 0);
  return sum;
}

/** Half of a symmetric Blackman-windowed sinc, with `PHASES` points per input sample. */
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
