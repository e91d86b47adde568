/** Estimates the pitch of a voice over time by normalised autocorrelation. */
import { frameLevelsDb } from './inspect.ts';

const SAMPLE_RATE_HZ = 16_000;
/** Half the sample rate is sufficient for a voice and takes a quarter of the time. */
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

/** A possible pitch of a frame, with its periodicity, 0-1. */
interface Candidate {
  hz: number;
  periodicity: number;
}

const MAX_CANDIDATES = 4;
/** The periodicity that an octave jump between frames must gain. */
const OCTAVE_JUMP_COST = 0.5;
/** When two pitches explain a frame equally well, the lower one is a subharmonic, so the higher one is preferred. */
const OCTAVE_BONUS = 0.04;
/** After a longer silence the pitch may start anywhere. */
const LONGEST_GAP_FRAMES = 10;
const MAX_JUMP_OCTAVES = 0.7;
const JUMP_WINDOW_FRAMES = 5;

/** Returns one point per 20 ms of voiced speech, along the smoothest likely path (Boersma, 1993), for 16 kHz mono samples. */
export function pitchContour(pcm: Float32Array): PitchPoint[] {
  // An offset, which cheap microphones add, would be periodic at every lag.
  const offset = pcm.reduce((sum, sample) => sum + sample, 0) / Math.max(1, pcm.length);
  const low = Float32Array.from({ length: Math.floor(pcm.length / STEP) }, (_, n) => {
    const at = n * STEP;
    return ((pcm[at] ?? 0) + (pcm[at + 1] ?? 0)) / 2 - offset;
  });
  const levels = frameLevelsDb(pcm);
  const quiet = (levels.toSorted()[Math.floor(levels.length * 0.95)] ?? -100) - 30;
  const minLag = Math.floor(RATE_HZ / HIGHEST_HZ);
  const maxLag = Math.ceil(RATE_HZ / LOWEST_HZ);
  const hop = (RATE_HZ * HOP_MS) / 1000;
  const voiced: { frame: number; candidates: Candidate[] }[] = [];
  for (let frame = 0; frame * hop + WINDOW + maxLag < low.length && voiced.length < MAX_POINTS; frame += 1) {
    if ((levels[frame] ?? -100) < quiet) continue;
    const candidates = pitchCandidates(low, { start: frame * hop, minLag, maxLag });
    if (candidates.length > 0) voiced.push({ frame, candidates });
  }
  const path = smoothestPath(voiced);
  return path.flatMap((hz, index) =>
    isOctaveError(path, index)
      ? []
      : [{ ms: ((voiced[index]?.frame ?? 0) + 1) * HOP_MS, hz: Math.round(hz * 10) / 10 }],
  );
}

/** Detects single frames far from their surroundings, in which a subharmonic was mistaken for the voice. */
function isOctaveError(path: readonly number[], index: number): boolean {
  const around = path
    .slice(Math.max(0, index - JUMP_WINDOW_FRAMES), index + JUMP_WINDOW_FRAMES + 1)
    .toSorted((a, b) => a - b);
  const median = around[Math.floor(around.length / 2)] ?? 0;
  return Math.abs(Math.log2((path[index] ?? 0) / median)) > MAX_JUMP_OCTAVES;
}

/** Chooses one pitch per frame that is periodic and close to the previous one. */
function smoothestPath(voiced: readonly { frame: number; candidates: readonly Candidate[] }[]): number[] {
  const steps: { score: number; before: number }[][] = [];
  voiced.forEach(({ frame, candidates }, at) => {
    const previous = voiced[at - 1];
    const isNewVoice = previous === undefined || frame - previous.frame > LONGEST_GAP_FRAMES;
    steps.push(
      candidates.map(({ hz, periodicity }) => {
        const own = periodicity + OCTAVE_BONUS * Math.log2(hz / LOWEST_HZ);
        let best = { score: -Infinity, before: 0 };
        previous?.candidates.forEach((candidate, before) => {
          const jump = isNewVoice ? 0 : OCTAVE_JUMP_COST * Math.abs(Math.log2(hz / candidate.hz));
          const score = (steps[at - 1]?.[before]?.score ?? 0) - jump;
          if (score > best.score) best = { score, before };
        });
        return { score: own + (previous === undefined ? 0 : best.score), before: best.before };
      }),
    );
  });
  const path: number[] = [];
  let chosen = (steps.at(-1) ?? []).reduce(
    (top, { score }, index, all) => (score > (all[top]?.score ?? 0) ? index : top),
    0,
  );
  for (let at = voiced.length - 1; at >= 0; at -= 1) {
    path[at] = voiced[at]?.candidates[chosen]?.hz ?? 0;
    chosen = steps[at]?.[chosen]?.before ?? 0;
  }
  return path;
}

/** Peaks of the normalised autocorrelation, most periodic first. */
function pitchCandidates(signal: Float32Array, search: { start: number; minLag: number; maxLag: number }): Candidate[] {
  const { start, minLag, maxLag } = search;
  let energy = 0;
  for (let n = 0; n < WINDOW; n += 1) energy += (signal[start + n] as number) ** 2;
  if (energy < 1e-6) return [];
  const similarity = new Float64Array(maxLag + 2);
  let shifted = 0;
  for (let n = 0; n < WINDOW; n += 1) shifted += (signal[start + minLag - 1 + n] as number) ** 2;
  for (let lag = minLag - 1; lag <= maxLag; lag += 1) {
    let product = 0;
    for (let n = 0; n < WINDOW; n += 1) product += (signal[start + n] as number) * (signal[start + lag + n] as number);
    similarity[lag] = product / Math.sqrt(energy * shifted + 1e-12);
    shifted += (signal[start + lag + WINDOW] ?? 0) ** 2 - (signal[start + lag] as number) ** 2;
  }
  const candidates: Candidate[] = [];
  for (let lag = minLag; lag <= maxLag; lag += 1) {
    const periodicity = similarity[lag] as number;
    const isPeak = periodicity >= (similarity[lag - 1] as number) && periodicity >= (similarity[lag + 1] ?? 0);
    if (isPeak && periodicity > MIN_PERIODICITY) candidates.push({ hz: RATE_HZ / lag, periodicity });
  }
  return candidates.toSorted((a, b) => b.periodicity - a.periodicity).slice(0, MAX_CANDIDATES);
}
