import { describe, expect, it } from 'vitest';
import { silence, speech } from '../test-kit/microphone-audio.ts';
import { VoiceActivityMeter } from './voice-activity-meter.ts';

const heard = (...sounds: Uint8Array[]): VoiceActivityMeter => {
  const meter = new VoiceActivityMeter();
  for (const sound of sounds) meter.addAudio(sound);
  return meter;
};

describe('the voice meter', () => {
  it('measures speech independent of chunk sizes', () => {
    const sound = Buffer.concat([silence(1_000), speech(460), silence(300)]);
    const meter = new VoiceActivityMeter();
    for (let at = 0; at < sound.length; at += 1_366) meter.addAudio(sound.subarray(at, at + 1_366));
    expect(meter.currentSpan?.startMs).toBe(1_000);
    expect((meter.currentSpan?.endMs ?? 0) - 1_460).toBeLessThanOrEqual(20);
    expect(meter.totalMs).toBeGreaterThanOrEqual(1_759);
  });

  it('joins syllables and separates sentences', () => {
    expect(heard(speech(300), silence(200), speech(300)).currentSpan).toEqual({ startMs: 0, endMs: 800 });
    const meter = heard(speech(300), silence(600), speech(300));
    expect(meter.currentSpan).toEqual({ startMs: 900, endMs: 1_200 });
    expect(meter.voicedMs).toBe(600);
  });

  it('detects nothing in a quiet room', () => {
    expect(heard(silence(3_000)).currentSpan).toBeNull();
  });

  it('adapts to a loud room and still detects speech', () => {
    const noise = (ms: number): Uint8Array =>
      Uint8Array.from(speech(ms), () => 0).map((_, at) => (at % 2 === 0 ? (at * 7_919) % 251 : at % 4 === 1 ? 2 : 253));
    const meter = new VoiceActivityMeter();
    for (let second = 0; second < 60; second += 1) meter.addAudio(noise(1_000));
    const before = meter.voicedMs;
    meter.addAudio(noise(2_000));
    expect(meter.voicedMs).toBe(before);
    meter.addAudio(speech(500));
    expect(meter.currentSpan?.startMs).toBe(62_000);
  });

  it('does not adapt to a long speech', () => {
    const meter = heard(silence(500), ...Array.from({ length: 60 }, () => speech(1_000)));
    expect(meter.voicedMs).toBeGreaterThan(59_000);
  });
});
