/** Changes the sample rate with a windowed sinc, so that nothing above the new band folds back into speech. */

const ZERO_CROSSINGS = 16;
const PHASES = 512;
/** Of the lower Nyquist frequency: the rest is the filter's slope. */
const PASS_BAND = 0.94;

/** Resamples a whole signal; both rates in Hz. Smith, "Digital Audio Resampling Home Page" (CCRMA). */
export function resample(input: Float32Array, fromHz: number, toHz: number): Float32Array {
  if (fromHz === toHz) return input;
  const filter = filterBetween(fromHz, toHz);
  const output = new Float32Array(Math.max(1, Math.round(input.length / filter.ratio)));
  for (let index = 0; index < output.length; index += 1) output[index] = sampleAt(input, index * filter.ratio, filter);
  return output;
}

/** The same for sound that goes on: a piece comes out as soon as the samples after it are known, about a millisecond later. */
export function createResampler(fromHz: number, toHz: number): (piece: Float32Array) => Float32Array {
  const filter = filterBetween(fromHz, toHz);
  let held = new Float32Array(0);
  /** Where `held` begins, in samples in; how many samples came out. */
  let heldFrom = 0;
  let done = 0;
  return (piece) => {
    const known = new Float32Array(held.length + piece.length);
    known.set(held);
    known.set(piece, held.length);
    const until = heldFrom + known.length - 1 - filter.halfWidth;
    const count = Math.max(0, Math.floor(until / filter.ratio) + 1 - done);
    const output = new Float32Array(count);
    for (let index = 0; index < count; index += 1)
      output[index] = sampleAt(known, (done + index) * filter.ratio - heldFrom, filter);
    done += count;
    const needed = Math.max(heldFrom, Math.ceil(done * filter.ratio - filter.halfWidth));
    held = known.slice(needed - heldFrom);
    heldFrom = needed;
    return output;
  };
}

interface Filter {
  /** Samples in for a sample out. */
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
