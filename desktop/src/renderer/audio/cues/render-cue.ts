/** Synthesises the cues: short, soft taps without a melody, so that none of them sounds like a reward. */

export const SOUND_CUES = ['start', 'stop', 'your_turn', 'could_not_hear'] as const;
export type SoundCue = (typeof SOUND_CUES)[number];

interface Tap {
  startMs: number;
  lengthMs: number;
  hz: number;
  /** The highest possible amplitude of the tap, 0-1. */
  gain: number;
  /**
   * The levels of the second and third harmonic. They make a low tap audible on a laptop's loudspeakers; without them,
   * it is dull.
   */
  harmonics: readonly [second: number, third: number];
}

const B3_HZ = 246.94;
/** A fourth below B3. */
const F_SHARP_3_HZ = 185;
const E3_HZ = 164.81;

const TAPS: Record<SoundCue, readonly Tap[]> = {
  start: [{ startMs: 0, lengthMs: 80, hz: B3_HZ, gain: 0.22, harmonics: [0.35, 0.12] }],
  stop: [{ startMs: 0, lengthMs: 80, hz: F_SHARP_3_HZ, gain: 0.22, harmonics: [0.35, 0.12] }],
  // The rhythm of the product's mark: a bar and a dot.
  your_turn: [
    { startMs: 0, lengthMs: 95, hz: B3_HZ, gain: 0.16, harmonics: [0.25, 0.06] },
    { startMs: 125, lengthMs: 60, hz: B3_HZ, gain: 0.16, harmonics: [0.25, 0.06] },
  ],
  could_not_hear: [{ startMs: 0, lengthMs: 140, hz: E3_HZ, gain: 0.2, harmonics: [0.12, 0] }],
};

/** Long enough to sound soft; a sudden onset clicks and startles. */
const ATTACK_MS = 12;
const RELEASE_MS = 20;

export function renderCue(cue: SoundCue, sampleRateHz: number): Float32Array<ArrayBuffer> {
  const taps = TAPS[cue];
  const endMs = Math.max(...taps.map(({ startMs, lengthMs }) => startMs + lengthMs));
  const samples = new Float32Array(Math.ceil((endMs * sampleRateHz) / 1_000));
  for (const tap of taps) {
    const offset = Math.round((tap.startMs * sampleRateHz) / 1_000);
    const length = Math.floor((tap.lengthMs * sampleRateHz) / 1_000);
    for (let index = 0; index < length && offset + index < samples.length; index += 1)
      samples[offset + index] = sampleOf(tap, (index * 1_000) / sampleRateHz);
  }
  return samples;
}

function sampleOf({ lengthMs, hz, gain, harmonics: [second, third] }: Tap, atMs: number): number {
  const phase = (2 * Math.PI * hz * atMs) / 1_000;
  const wave = (Math.sin(phase) + second * Math.sin(2 * phase) + third * Math.sin(3 * phase)) / (1 + second + third);
  const decay = Math.exp((-3 * atMs) / lengthMs);
  return gain * wave * decay * fade(atMs / ATTACK_MS) * fade((lengthMs - atMs) / RELEASE_MS);
}

/** Rises from 0 to 1, smoothly at both ends. */
const fade = (progress: number): number => (1 - Math.cos(Math.PI * Math.min(1, Math.max(0, progress)))) / 2;
