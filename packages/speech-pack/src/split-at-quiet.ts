/** Splits long speech where it is quiet, because the models transcribe at most half a minute at once. */

const SAMPLE_RATE_HZ = 16_000;
const MIN_SECONDS = 15;
const MAX_SECONDS = 28;
const WINDOW = SAMPLE_RATE_HZ / 10;

/** `pcm` is 16 kHz mono in -1..1. The parts follow each other without a gap, and share the memory of `pcm`. */
export function splitAtQuiet(pcm: Float32Array): Float32Array[] {
  const parts: Float32Array[] = [];
  let from = 0;
  while (pcm.length - from > MAX_SECONDS * SAMPLE_RATE_HZ) {
    const to = quietestSample(pcm, from + MIN_SECONDS * SAMPLE_RATE_HZ, from + MAX_SECONDS * SAMPLE_RATE_HZ);
    parts.push(pcm.subarray(from, to));
    from = to;
  }
  parts.push(pcm.subarray(from));
  return parts;
}

function quietestSample(pcm: Float32Array, first: number, end: number): number {
  let quietest = { at: first, energy: Infinity };
  for (let start = first; start + WINDOW <= end; start += WINDOW) {
    let energy = 0;
    for (const sample of pcm.subarray(start, start + WINDOW)) energy += sample * sample;
    if (energy < quietest.energy) quietest = { at: start + WINDOW / 2, energy };
  }
  return quietest.at;
}
