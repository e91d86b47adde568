import { describe, expect, it } from 'vitest';
import { createTimeStretcher } from './time-stretch.ts';

const RATE_HZ = 24_000;

/** A voice-like sound: a tone and an overtone with a varying amplitude. */
const voiceLikeSound = (seconds: number, hz = 140): Int16Array =>
  Int16Array.from({ length: seconds * RATE_HZ }, (_, at) => {
    const phase = (2 * Math.PI * hz * at) / RATE_HZ;
    return 8_000 * (0.6 + 0.4 * Math.sin(at / 3_000)) * (Math.sin(phase) + 0.4 * Math.sin(3 * phase));
  });

function stretchInPieces(pcm: Int16Array, { rate, pieceSamples }: { rate: number; pieceSamples: number }): Int16Array {
  const stretcher = createTimeStretcher(rate);
  const out: number[] = [];
  for (let at = 0; at < pcm.length; at += pieceSamples)
    out.push(...stretcher.process(pcm.subarray(at, at + pieceSamples)));
  out.push(...stretcher.flush());
  return Int16Array.from(out);
}

/** Measures the pitch by autocorrelation in the middle of the sound. */
function pitchHz(pcm: Int16Array): number {
  const from = Math.floor(pcm.length / 2);
  const window = 2_400;
  let best = { lag: 0, likeness: -Infinity };
  for (let lag = 80; lag < 400; lag += 1) {
    let likeness = 0;
    for (let at = from; at < from + window; at += 1) likeness += (pcm[at] ?? 0) * (pcm[at + lag] ?? 0);
    if (likeness > best.likeness) best = { lag, likeness };
  }
  return RATE_HZ / best.lag;
}

/** The steepest step between two samples; a bad seam would show here as a click. */
const steepestStep = (pcm: Int16Array): number =>
  pcm.reduce((most, sample, at) => (at === 0 ? 0 : Math.max(most, Math.abs(sample - (pcm[at - 1] ?? 0)))), 0);

describe('time-stretched speech', () => {
  it.each([0.5, 0.7, 0.9, 1.2, 1.5])('at %s times the speed keeps its pitch and has no clicks', (rate) => {
    const voice = voiceLikeSound(2);
    const out = stretchInPieces(voice, { rate, pieceSamples: 2_400 });
    expect(out.length / (voice.length / rate)).toBeCloseTo(1, 1);
    expect(Math.abs(pitchHz(out) - 140)).toBeLessThan(3);
    expect(steepestStep(out)).toBeLessThan(steepestStep(voice) * 1.5);
  });

  it('does not depend on the size of the chunks', () => {
    const voice = voiceLikeSound(1);
    const whole = stretchInPieces(voice, { rate: 0.8, pieceSamples: voice.length });
    expect(stretchInPieces(voice, { rate: 0.8, pieceSamples: 777 })).toEqual(whole);
  });

  it('is unchanged at normal speed', () => {
    const voice = voiceLikeSound(0.3);
    expect(stretchInPieces(voice, { rate: 1, pieceSamples: 1_000 })).toEqual(voice);
  });

  it('is empty for empty input', () => {
    expect(stretchInPieces(new Int16Array(0), { rate: 0.7, pieceSamples: 1 })).toHaveLength(0);
  });
});
