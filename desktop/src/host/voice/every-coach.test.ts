/** The bundled voices of the coaches in the starter catalogue. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { describe, expect, it } from 'vitest';
import { fliteRequest } from './flite-arguments.ts';
import { resampleWav } from './resample-wav.ts';

const coaches = loadStarterCatalogue().aiAgentProfiles.map(({ name, voice }) => ({
  name,
  request: fliteRequest({ text: 'Hello.', voice, rate: 1 }),
}));
const speakerOf = (args: readonly string[]): string => args[1] ?? '';

describe('bundled voices', () => {
  it('differ between any two coaches in speaker, or by a tone and more', () => {
    for (const [index, one] of coaches.entries())
      for (const other of coaches.slice(index + 1)) {
        const isOtherSpeaker = speakerOf(one.request.args) !== speakerOf(other.request.args);
        const interval = Math.abs(Math.log(one.request.size / other.request.size));
        expect(isOtherSpeaker || interval > 0.05, `${one.name} and ${other.name}`).toBe(true);
      }
    expect(coaches).toHaveLength(8);
  });
});

describe('resampled speech', () => {
  const RATE = 16_000;
  const tone = (hz: number): Uint8Array => {
    const wav = new Uint8Array(44 + 2 * RATE);
    const view = new DataView(wav.buffer);
    for (let at = 0; at < RATE; at += 1)
      view.setInt16(44 + 2 * at, 10_000 * Math.sin((2 * Math.PI * hz * at) / RATE), true);
    return wav;
  };
  const risingZeros = (wav: Uint8Array): number => {
    const view = new DataView(wav.buffer);
    let count = 0;
    for (let at = 46; at < wav.byteLength; at += 2)
      if (view.getInt16(at - 2, true) < 0 && view.getInt16(at, true) >= 0) count += 1;
    return count;
  };

  it('has a higher tone and is shorter', () => {
    const higher = resampleWav(tone(200), 1.25);
    expect((higher.byteLength - 44) / (2 * RATE)).toBeCloseTo(0.8, 3);
    expect(risingZeros(higher) / 0.8).toBeCloseTo(250, -1);
  });
});
