import { synthesise } from '@parley/test-kit';
import { describe, expect, it } from 'vitest';
import { parseWav } from '../wav/parse-wav.ts';
import { inspectAudio } from './inspect.ts';
import { withoutHum } from './remove-hum.ts';

const RATE_HZ = 16_000;
const PAUSE = new Float32Array(RATE_HZ / 2);
const LEVEL = 0.09;

const spoken = parseWav(synthesise('We will deliver the new machines on Tuesday') ?? new Uint8Array());
const voice = spoken.ok ? Float32Array.from([...PAUSE, ...spoken.value.pcm, ...PAUSE]) : null;

/** Hum as loud as the voice, with the odd harmonics of a bad cable. */
const hum = (hz: number, at: number): number =>
  [1, 3, 5].reduce((sum, harmonic) => sum + Math.sin((2 * Math.PI * hz * harmonic * at) / RATE_HZ) / harmonic, 0);

const withHum = (pcm: Float32Array, hz: number): Float32Array =>
  pcm.map((sample, at) => 0.6 * sample + LEVEL * hum(hz, at));

describe.skipIf(voice === null)('a voice amid hum', () => {
  it.each([50, 60])('of %i Hz is no longer noisy', (hz) => {
    const recorded = withHum(voice ?? PAUSE, hz);
    expect(inspectAudio(recorded).verdict).toBe('noisy');
    const { pcm, report } = withoutHum(recorded);
    expect(report.verdict).toBe('good');
    expect(pcm).toHaveLength(recorded.length);
  });

  it('is left unchanged if there is no hum', () => {
    expect(withoutHum(voice ?? PAUSE).pcm).toBe(voice);
  });
});

describe('without a voice', () => {
  it.each([
    ['hum', (at: number) => LEVEL * hum(50, at)],
    ['a tone of another pitch', (at: number) => 0.3 * Math.sin(at * 0.2)],
    ['noise', (at: number) => 0.2 * (((Math.imul(at, 2_654_435_761) >>> 8) % 2_000) / 1_000 - 1)],
  ])('%s stays noisy', (_what, sample) => {
    const recorded = Float32Array.from({ length: 3 * RATE_HZ }, (_, at) => sample(at));
    expect(withoutHum(recorded)).toMatchObject({ pcm: recorded, report: { verdict: 'noisy' } });
  });
});
