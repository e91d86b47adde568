import { describe, expect, it } from 'vitest';
import { renderCue, SOUND_CUES, type SoundCue } from './render-cue.ts';

const SAMPLE_RATE_HZ = 48_000;
const samplesIn = (ms: number): number => (ms * SAMPLE_RATE_HZ) / 1_000;

/** A biquad filter in direct form. */
function filter(samples: Float32Array, b: readonly number[], a: readonly number[]): Float32Array {
  const filtered = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at += 1) {
    const x = (back: number): number => samples[at - back] ?? 0;
    const y = (back: number): number => filtered[at - back] ?? 0;
    filtered[at] =
      (b[0] ?? 0) * x(0) + (b[1] ?? 0) * x(1) + (b[2] ?? 0) * x(2) - (a[1] ?? 0) * y(1) - (a[2] ?? 0) * y(2);
  }
  return filtered;
}

/** The two filters of ITU-R BS.1770-4, tables 1 and 2, for 48 kHz. */
const kWeighted = (samples: Float32Array): Float32Array =>
  filter(
    filter(samples, [1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585]),
    [1, -2, 1],
    [1, -1.99004745483398, 0.99007225036621],
  );

/**
 * The loudness of the loudest 50 ms in LUFS, played on two loudspeakers. The usual window of 400 ms would include the
 * silence around a cue and make it appear quieter.
 */
function loudestLufs(samples: Float32Array): number {
  const weighted = kWeighted(samples);
  const window = samplesIn(50);
  let loudest = 0;
  for (let from = 0; from + window <= weighted.length; from += samplesIn(1)) {
    const meanSquare = weighted.subarray(from, from + window).reduce((sum, value) => sum + value * value, 0) / window;
    loudest = Math.max(loudest, meanSquare);
  }
  return -0.691 + 10 * Math.log10(2 * loudest);
}

const peakOf = (samples: Float32Array): number => samples.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);

/** The frequency, from the rising zero crossings of the first 60 ms. */
function pitchHz(cue: SoundCue): number {
  const samples = renderCue(cue, SAMPLE_RATE_HZ).subarray(0, samplesIn(60));
  const crossings = [...samples.keys()].filter((at) => at > 0 && (samples[at - 1] ?? 0) < 0 && (samples[at] ?? 0) >= 0);
  const first = crossings[0] ?? 0;
  const last = crossings.at(-1) ?? 0;
  return ((crossings.length - 1) * SAMPLE_RATE_HZ) / (last - first);
}

describe.each(SOUND_CUES)('the cue %s', (cue) => {
  const samples = renderCue(cue, SAMPLE_RATE_HZ);

  it('is never louder than -18 LUFS, and can be heard', () => {
    expect(loudestLufs(samples)).toBeLessThan(-18);
    expect(loudestLufs(samples)).toBeGreaterThan(-30);
  });

  it('is shorter than 200 ms', () => {
    expect(samples.length).toBeLessThan(samplesIn(200));
  });

  it('begins and ends softly', () => {
    expect(peakOf(samples.subarray(0, samplesIn(3)))).toBeLessThan(0.3 * peakOf(samples));
    expect(peakOf(samples.subarray(samples.length - samplesIn(2)))).toBeLessThan(0.05 * peakOf(samples));
    const steps = samples.map((value, at) => value - (samples[at - 1] ?? 0));
    expect(peakOf(steps)).toBeLessThan(0.1 * peakOf(samples));
  });

  it('sounds the same at another sample rate', () => {
    const other = renderCue(cue, 44_100);
    expect(other.length / 44_100).toBeCloseTo(samples.length / SAMPLE_RATE_HZ, 3);
    expect(peakOf(other)).toBeCloseTo(peakOf(samples), 2);
  });
});

it('stops with the tap of the start, a fourth lower', () => {
  expect(pitchHz('start')).toBeCloseTo(246.9, -1);
  expect(pitchHz('start') / pitchHz('stop')).toBeCloseTo(4 / 3, 1);
});
