/** Removes mains hum from a recording that would otherwise count as noisy, because steady hum masks no word. */
import { type AudioReport, inspectAudio } from './inspect.ts';

const SAMPLE_RATE_HZ = 16_000;
const MAINS_HZ = [50, 60] as const;
/** Above these harmonics, hum is too weak to matter. */
const HARMONICS = 10;
/** Wide enough to settle within a tenth of a second, and narrow enough not to affect a low voice. */
const NOTCH_WIDTH_HZ = 5;
/** Until the filters have settled, hum alone looks like speech. */
const SETTLING_SAMPLES = 0.5 * SAMPLE_RATE_HZ;

export interface UsableAudio {
  /** 16 kHz mono. */
  pcm: Float32Array;
  report: AudioReport;
}

/** Returns the recording unchanged unless it is noisy only because of hum. */
export function withoutHum(pcm: Float32Array): UsableAudio {
  const report = inspectAudio(pcm);
  if (report.verdict !== 'noisy') return { pcm, report };
  const cleaned = MAINS_HZ.map((hz): UsableAudio => {
    const filtered = removeHarmonics(pcm, hz);
    return { pcm: filtered, report: inspectAudio(filtered) };
  })
    .filter((each) => inspectAudio(each.pcm.subarray(SETTLING_SAMPLES)).verdict === 'good')
    .filter((each) => each.report.verdict === 'good')
    .toSorted((a, b) => (b.report.snrDb ?? 0) - (a.report.snrDb ?? 0));
  return cleaned[0] ?? { pcm, report };
}

function removeHarmonics(pcm: Float32Array, mainsHz: number): Float32Array {
  const filtered = Float32Array.from(pcm);
  for (let harmonic = 1; harmonic <= HARMONICS; harmonic += 1) notch(filtered, harmonic * mainsHz);
  return filtered;
}

/** A second-order notch filter, in place (Bristow-Johnson, "Audio EQ Cookbook"). */
function notch(samples: Float32Array, hz: number): void {
  const w = (2 * Math.PI * hz) / SAMPLE_RATE_HZ;
  const alpha = (Math.sin(w) * NOTCH_WIDTH_HZ) / (2 * hz);
  const middle = -2 * Math.cos(w);
  const a0 = 1 + alpha;
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let n = 0; n < samples.length; n += 1) {
    const x = samples[n] as number;
    const y = (x + middle * x1 + x2 - middle * y1 - (1 - alpha) * y2) / a0;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[n] = y;
  }
}
