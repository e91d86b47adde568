import { describe, expect, it } from 'vitest';
import { createStretcher } from './stretch.ts';

const RATE_HZ = 24_000;

/** A voice-like sound: a tone and an overtone that swell and fade. */
const sound = (seconds: number, hz = 140): Int16Array =>
  Int16Array.from({ length: seconds * RATE_HZ }, (_, at) => {
    const phase = (2 * Math.PI * hz * at) / RATE_HZ;
    return 8_000 * (0.6 + 0.4 * Math.sin(at / 3_000)) * (Math.sin(phase) + 0.4 * Math.sin(3 * phase));
  });

function stretched(pcm: Int16Array, { rate, pieceSamples }: { rate: number; pieceSamples: number }): Int16Array {
  const stretcher = createStretcher(rate);
  const out: number[] = [];
  for (let at = 0; at < pcm.length; at += pieceSamples)
    out.push(...stretcher.take(pcm.subarray(at, at + pieceSamples)));
  out.push(...stretcher.finish());
  return Int16Array.from(out);
}

/** By the distance of two swings, in the middle of the sound. */
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

/** The steepest step between two samples: a seam that does not fit clicks. */
const steepest = (pcm: Int16Array): number =>
  pcm.reduce((most, sample, at) => (at === 0 ? 0 : Math.max(most, Math.abs(sample - (pcm[at - 1] ?? 0)))), 0);

describe('speech at another speed', () => {
  it.each([0.5, 0.7, 0.9, 1.2, 1.5])('%s times as fast keeps its pitch and has no clicks', (rate) => {
    const voice = sound(2);
    const out = stretched(voice, { rate, pieceSamples: 2_400 });
    expect(out.length / (voice.length / rate)).toBeCloseTo(1, 1);
    expect(Math.abs(pitchHz(out) - 140)).toBeLessThan(3);
    expect(steepest(out)).toBeLessThan(steepest(voice) * 1.5);
  });

  it('is the same however it comes', () => {
    const voice = sound(1);
    const whole = stretched(voice, { rate: 0.8, pieceSamples: voice.length });
    expect(stretched(voice, { rate: 0.8, pieceSamples: 777 })).toEqual(whole);
  });

  it('at its own speed is untouched', () => {
    const voice = sound(0.3);
    expect(stretched(voice, { rate: 1, pieceSamples: 1_000 })).toEqual(voice);
  });

  it('of nothing is nothing', () => {
    expect(stretched(new Int16Array(0), { rate: 0.7, pieceSamples: 1 })).toHaveLength(0);
  });
});
