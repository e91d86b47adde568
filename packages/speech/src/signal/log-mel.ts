/** Computes the log-mel features that the acoustic model was trained on: 64 bands, 25 ms windows, 10 ms apart. */
import { powerSpectrum } from './spectrum.ts';

const SAMPLE_RATE_HZ = 16_000;
const WINDOW = 400;
const HOP = 160;
const FFT_SIZE = 512;
export const MEL_BANDS = 64;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 7_600;
const PRE_EMPHASIS = 0.97;
/** About 50 dB below speech at the level of `prepareSpeech`; quieter energy is not speech. */
const FLOOR = 1e-6;

export interface LogMel {
  frames: number;
  /** Row-major `frames` × 64, natural logarithm of the band energy. */
  values: Float32Array;
}

const hann = Float64Array.from({ length: WINDOW }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (WINDOW - 1)));
const spectrum = powerSpectrum(FFT_SIZE);
const bands = melBands();

/** Triangular bands on O'Shaughnessy's mel scale. Samples are 16 kHz mono, -1..1. */
export function logMel(pcm: Float32Array): LogMel {
  const frames = pcm.length < WINDOW ? 1 : 1 + Math.floor((pcm.length - WINDOW) / HOP);
  const values = new Float32Array(frames * MEL_BANDS);
  const frame = new Float64Array(FFT_SIZE);
  const power = new Float64Array(spectrum.bins);
  for (let index = 0; index < frames; index += 1) {
    const start = index * HOP;
    for (let n = 0; n < WINDOW; n += 1) {
      const at = start + n;
      const before = at === 0 ? 0 : (pcm[at - 1] ?? 0);
      frame[n] = ((pcm[at] ?? 0) - PRE_EMPHASIS * before) * (hann[n] as number);
    }
    spectrum.into(frame, power);
    bands.forEach(({ firstBin, weights }, band) => {
      let energy = FLOOR;
      for (let k = 0; k < weights.length; k += 1) energy += (weights[k] as number) * (power[firstBin + k] as number);
      values[index * MEL_BANDS + band] = Math.log(energy);
    });
  }
  return { frames, values };
}

/** Normalises each band to zero mean and unit deviation over the utterance, so that scores do not depend on level or microphone. */
export function normaliseBands({ frames, values }: LogMel): Float32Array {
  const normalised = new Float32Array(values.length);
  for (let band = 0; band < MEL_BANDS; band += 1) {
    let sum = 0;
    let squares = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      const value = values[frame * MEL_BANDS + band] as number;
      sum += value;
      squares += value * value;
    }
    const mean = sum / frames;
    const deviation = Math.sqrt(Math.max(0, squares / frames - mean * mean)) + 1e-3;
    for (let frame = 0; frame < frames; frame += 1) {
      const at = frame * MEL_BANDS + band;
      normalised[at] = ((values[at] as number) - mean) / deviation;
    }
  }
  return normalised;
}

function melBands(): { firstBin: number; weights: Float64Array }[] {
  const toMel = (hz: number): number => 2595 * Math.log10(1 + hz / 700);
  const toHz = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);
  const low = toMel(LOWEST_HZ);
  const step = (toMel(HIGHEST_HZ) - low) / (MEL_BANDS + 1);
  const edges = Array.from({ length: MEL_BANDS + 2 }, (_, i) => (toHz(low + i * step) / SAMPLE_RATE_HZ) * FFT_SIZE);
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [left = 0, centre = 0, right = 0] = edges.slice(band, band + 3);
    const firstBin = Math.ceil(left);
    const weights = Float64Array.from({ length: Math.floor(right) - firstBin + 1 }, (_unused, k) =>
      Math.max(0, Math.min((firstBin + k - left) / (centre - left), (right - firstBin - k) / (right - centre))),
    );
    return { firstBin, weights };
  });
}
