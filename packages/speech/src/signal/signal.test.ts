import { describe, expect, it } from 'vitest';
import { type AudioVerdict, inspectAudio } from './inspect.ts';
import { logMel, MEL_BANDS, normaliseBands } from './log-mel.ts';
import { pitchContour } from './pitch.ts';
import { prepareSpeech } from './prepare-speech.ts';

const RATE_HZ = 16_000;
const samples = (seconds: number, at: (seconds: number) => number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * RATE_HZ) }, (_, n) => at(n / RATE_HZ));

/** Reproducible white noise. */
function noiseSource(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}

/** A voice-like sound: harmonics in syllables, over noise. */
function voice(seconds: number, { hz = 120, level = 0.3, noise = 0.001 } = {}): Float32Array {
  const hiss = noiseSource();
  return samples(seconds, (at) => {
    const speaks = at % 0.5 < 0.35;
    let sum = 0;
    for (let harmonic = 1; harmonic <= 10; harmonic += 1) sum += Math.sin(2 * Math.PI * hz * harmonic * at) / harmonic;
    return (speaks ? (level * sum) / 2 : 0) + noise * hiss();
  });
}

describe('logMel', () => {
  it('has a frame every 10 ms, and a tone in its own band', () => {
    const loudest = (hz: number): number => {
      const mel = logMel(samples(1, (at) => 0.5 * Math.sin(2 * Math.PI * hz * at)));
      expect(mel.frames).toBe(98);
      const row = Array.from(mel.values.slice(40 * MEL_BANDS, 41 * MEL_BANDS));
      return row.indexOf(Math.max(...row));
    };
    const bands = [200, 500, 1_000, 2_000, 4_000].map(loudest);
    expect(bands).toEqual(bands.toSorted((a, b) => a - b));
    expect(new Set(bands).size).toBe(5);
  });

  it('does not depend on level or surrounding silence after preparation', () => {
    const features = (pcm: Float32Array) => normaliseBands(logMel(prepareSpeech(pcm).pcm));
    const speech = voice(2, { level: 0.4, noise: 0.004 });
    const near = features(speech);
    const differenceTo = (pcm: Float32Array): number =>
      features(pcm).reduce((most, value, index) => Math.max(most, Math.abs(value - (near[index] ?? 0))), 0);
    expect(differenceTo(speech.map((sample) => sample / 10))).toBeLessThan(1e-3);
    const padded = new Float32Array(speech.length + 2 * RATE_HZ);
    padded.set(speech, RATE_HZ);
    expect(prepareSpeech(padded).startMs).toBe(800);
    const original = prepareSpeech(speech).pcm;
    expect(prepareSpeech(padded).pcm.length).toBeLessThanOrEqual(original.length + 0.4 * RATE_HZ);
  });

  it('returns one frame for less than a window', () => {
    expect(logMel(new Float32Array(100)).frames).toBeLessThanOrEqual(1);
  });
});

describe('pitchContour', () => {
  it.each([85, 120, 210, 330])('finds %d Hz within five per cent, without octave errors', (hz) => {
    const points = pitchContour(voice(1.5, { hz }));
    expect(points.length).toBeGreaterThan(30);
    const near = points.filter((point) => Math.abs(point.hz - hz) < hz * 0.05);
    expect(near.length / points.length).toBeGreaterThan(0.9);
  });

  it('does not depend on a constant offset, as cheap microphones add one', () => {
    const hiss = noiseSource();
    const speech = voice(1.5, { level: 0.1 }).map((sample, n) => (n % 8_000 < 5_600 ? sample : 0.02 * hiss()));
    const contour = pitchContour(speech);
    expect(contour.length).toBeGreaterThan(30);
    for (const offset of [0.005, -0.05]) expect(pitchContour(speech.map((sample) => sample + offset))).toEqual(contour);
  });

  it('is empty for noise and silence', () => {
    const hiss = noiseSource();
    expect(pitchContour(samples(1, () => 0.2 * hiss())).length).toBeLessThan(5);
    expect(pitchContour(new Float32Array(RATE_HZ))).toEqual([]);
  });
});

describe('inspectAudio', () => {
  const clippedVoice = voice(2, { level: 1.2 }).map((sample) => Math.max(-1, Math.min(1, sample)));
  const afterWait = (seconds: number, spoken: Float32Array): Float32Array => {
    const hiss = noiseSource();
    const waiting = samples(seconds, () => 0.001 * hiss());
    return Float32Array.from([...waiting, ...spoken, ...waiting.subarray(0, RATE_HZ)]);
  };
  const verdicts: [what: string, verdict: AudioVerdict, pcm: Float32Array][] = [
    ['a clear voice', 'good', voice(2)],
    ['a clear voice from afar', 'good', voice(2, { level: 0.03, noise: 0.0001 })],
    ['a voice between digital silences', 'good', voice(2).map((sample, n) => (n % 16_000 < 14_000 ? sample : 0))],
    ['a steady voice behind a noise gate', 'good', voice(2, { noise: 0 })],
    ['a whisper behind a noise gate', 'too_quiet', voice(2, { level: 0.006, noise: 0 })],
    ['a whisper', 'too_quiet', voice(2, { level: 0.006, noise: 0.0001 })],
    ['a voice in loud noise', 'noisy', voice(2, { level: 0.1, noise: 0.15 })],
    ['a distorted voice', 'clipped', voice(2, { level: 4 }).map((sample) => Math.max(-1, Math.min(1, sample)))],
    ['a short answer after a long wait', 'good', afterWait(30, voice(1.2))],
    ['a distorted voice after a long wait', 'clipped', afterWait(30, clippedVoice)],
    ['noise of a quiet room for a long time', 'silent', afterWait(30, new Float32Array(0))],
    ['digital silence', 'silent', new Float32Array(2 * RATE_HZ)],
    ['an empty recording', 'silent', new Float32Array(0)],
    ['a click', 'silent', samples(2, (at) => (at > 1 && at < 1.01 ? 0.5 : 0))],
    ['a steady tone', 'noisy', samples(2, (at) => 0.5 * Math.sin(2 * Math.PI * 200 * at))],
  ];
  it.each(verdicts)('%s is %s', (_what, verdict, pcm) => {
    expect(inspectAudio(pcm).verdict).toBe(verdict);
  });

  it('finds the same speech in a recording at a low level', () => {
    const recorded = voice(3, { noise: 0.003 }).map((sample, n) =>
      n < RATE_HZ && (n / RATE_HZ) % 0.5 < 0.35 ? sample / 20 : sample,
    );
    const quiet = recorded.map((sample) => sample / 30);
    expect(inspectAudio(quiet).verdict).toBe('too_quiet');
    expect(inspectAudio(quiet).speechSpan).toEqual(inspectAudio(recorded).speechSpan);
  });

  it('treats speech as noisy when it is less than 10.5 dB above the noise', () => {
    const [clear, noisy] = [0.07, 0.08].map((noise) => inspectAudio(voice(2, { noise })));
    expect(clear?.snrDb).toBeGreaterThan(10.5);
    expect(clear?.verdict).toBe('good');
    expect(noisy?.snrDb).toBeLessThan(10.5);
    expect(noisy?.verdict).toBe('noisy');
  });

  it('measures noise to within a few decibels', () => {
    const report = inspectAudio(voice(3, { level: 0.3, noise: 0.02 }));
    expect(report.snrDb).toBeGreaterThan(15);
    expect(report.snrDb).toBeLessThan(30);
    expect(report.durationMs).toBe(3_000);
  });
});
