/** The pitch of a voice over time, by normalised autocorrelation. */
import { frameLevelsDb } from './inspect.ts';

const SAMPLE_RATE_HZ = 16_000;
/** Half the rate is plenty for a voice and takes a quarter of the time. */
const STEP = 2;
const RATE_HZ = SAMPLE_RATE_HZ / STEP;
const WINDOW = 320;
const HOP_MS = 20;
const LOWEST_HZ = 70;
const HIGHEST_HZ = 450;
const MIN_PERIODICITY = 0.6;
const MAX_POINTS = 20_000;

export interface PitchPoint {
  ms: number;
  hz: number;
}

/** One point every 20 ms where the voice is periodic (Boersma, 1993, without path search); 16 kHz mono samples. */
export function pitchContour(pcm: Float32Array): PitchPoint[] {
  const low = Float32Array.from({ length: Math.floor(pcm.length / STEP) }, (_, n) => {
    const at = n * STEP;
    return ((pcm[at] ?? 0) + (pcm[at + 1] ?? 0)) / 2;
  });
  const levels = frameLevelsDb(pcm);
  const quiet = (levels.toSorted()[Math.floor(levels.length * 0.95)] ?? -100) - 30;
  const points: PitchPoint[] = [];
  const minLag = Math.floor(RATE_HZ / HIGHEST_HZ);
  const maxLag = Math.ceil(RATE_HZ / LOWEST_HZ);
  const hop = (RATE_HZ * HOP_MS) / 1000;
  for (let frame = 0; frame * hop + WINDOW + maxLag < low.length && points.length < MAX_POINTS; frame += 1) {
    if ((levels[frame] ?? -100) < quiet) continue;
    const hz = periodicityPeak(low, { start: frame * hop, minLag, maxLag });
    if (hz !== null) points.push({ ms: frame * HOP_MS + HOP_MS, hz: Math.round(hz * 10) / 10 });
  }
  return points;
}

function periodicityPeak(
  signal: Float32Array,
  search: { start: number; minLag: number; maxLag: number },
): number | null {
  const { start, minLag, maxLag } = search;
  let energy = 0;
  for (let n = 0; n < WINDOW; n += 1) energy += (signal[start + n] as number) ** 2;
  if (energy < 1e-6) return null;
  const similarity = new Float64Array(maxLag + 2);
  let shifted = 0;
  for (let n = 0; n < WINDOW; n += 1) shifted += (signal[start + minLag - 1 + n] as number) ** 2;
  for (let lag = minLag - 1; lag <= maxLag; lag += 1) {
    let product = 0;
    for (let n = 0; n < WINDOW; n += 1) product += (signal[start + n] as number) * (signal[start + lag + n] as number);
    similarity[lag] = product / Math.sqrt(energy * shifted + 1e-12);
    shifted += (signal[start + lag + WINDOW] ?? 0) ** 2 - (signal[start + lag] as number) ** 2;
  }
  let best = 0;
  for (let lag = minLag; lag <= maxLag; lag += 1) {
    const value = similarity[lag] as number;
    const isPeak = value >= (similarity[lag - 1] as number) && value >= (similarity[lag + 1] ?? 0);
    // A later peak must be clearly better, or the voice would be heard an octave low.
    if (isPeak && value > MIN_PERIODICITY && value > (best === 0 ? 0 : (similarity[best] as number) + 0.05)) best = lag;
  }
  return best === 0 ? null : RATE_HZ / best;
}
