import { describe, expect, it } from 'vitest';
import { silence, speech } from './test-kit/sound.ts';
import { VoiceMeter } from './voice-meter.ts';

const heard = (...sounds: Uint8Array[]): VoiceMeter => {
  const meter = new VoiceMeter();
  for (const sound of sounds) meter.take(sound);
  return meter;
};

describe('the voice meter', () => {
  it('tells how long somebody has spoken, whatever the pieces that the sound comes in', () => {
    const sound = Buffer.concat([silence(1_000), speech(460), silence(300)]);
    const meter = new VoiceMeter();
    for (let at = 0; at < sound.length; at += 1_366) meter.take(sound.subarray(at, at + 1_366));
    expect(meter.burst?.startMs).toBe(1_000);
    expect((meter.burst?.endMs ?? 0) - 1_460).toBeLessThanOrEqual(20);
    expect(meter.totalMs).toBeGreaterThanOrEqual(1_759);
  });

  it('takes a gap within a word for speech, and a pause for the beginning of something new', () => {
    expect(heard(speech(300), silence(200), speech(300)).burst).toEqual({ startMs: 0, endMs: 800 });
    const meter = heard(speech(300), silence(600), speech(300));
    expect(meter.burst).toEqual({ startMs: 900, endMs: 1_200 });
    expect(meter.voicedMs).toBe(600);
  });

  it('hears nothing in a quiet room', () => {
    expect(heard(silence(3_000)).burst).toBeNull();
  });

  it('learns a loud room, and still hears who speaks in it', () => {
    const noise = (ms: number): Uint8Array =>
      Uint8Array.from(speech(ms), () => 0).map((_, at) => (at % 2 === 0 ? (at * 7_919) % 251 : at % 4 === 1 ? 2 : 253));
    const meter = new VoiceMeter();
    for (let second = 0; second < 60; second += 1) meter.take(noise(1_000));
    const before = meter.voicedMs;
    meter.take(noise(2_000));
    expect(meter.voicedMs).toBe(before);
    meter.take(speech(500));
    expect(meter.burst?.startMs).toBe(62_000);
  });

  it('does not forget the speaker in a long speech', () => {
    const meter = heard(silence(500), ...Array.from({ length: 60 }, () => speech(1_000)));
    expect(meter.voicedMs).toBeGreaterThan(59_000);
  });
});
