import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePcm16, encodeWav } from './encode-wav.ts';
import { parseWav } from './parse-wav.ts';
import { createResampler, resample } from './resample.ts';

interface WavShape {
  rateHz?: number;
  channels?: number;
  bits?: number;
  code?: number;
  /** Chunks before the audio, as some recorders write them. */
  extra?: string[];
  declaredBytes?: number;
}

/** A WAV in which `sampleAt(seconds)` plays on every channel. */
function aWav(seconds: number, sampleAt: (seconds: number) => number, shape: WavShape = {}): Uint8Array {
  const { rateHz = 16_000, channels = 1, bits = 16, code = 1, extra = [] } = shape;
  const frames = Math.round(seconds * rateHz);
  const data = Buffer.alloc((frames * channels * bits) / 8);
  for (let index = 0; index < frames * channels; index += 1) {
    const value = sampleAt(Math.floor(index / channels) / rateHz);
    const at = (index * bits) / 8;
    if (code === 3 && bits === 32) data.writeFloatLE(value, at);
    else if (code === 3) data.writeDoubleLE(value, at);
    else if (bits === 8) data.writeUInt8(Math.round(value * 127) + 128, at);
    else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8);
  }
  const format = Buffer.alloc(16);
  format.writeUInt16LE(code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rateHz, 4);
  format.writeUInt32LE((rateHz * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  const chunk = (tag: string, content: Buffer, size = content.length): Buffer => {
    const head = Buffer.alloc(8);
    head.write(tag, 0, 'latin1');
    head.writeUInt32LE(size, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  const chunks = Buffer.concat([
    chunk('fmt ', format),
    ...extra.map((text) => chunk('LIST', Buffer.from(text))),
    chunk('data', data, shape.declaredBytes ?? data.length),
  ]);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), chunks]);
}

const tone =
  (hz: number, level = 0.5) =>
  (seconds: number) =>
    level * Math.sin(2 * Math.PI * hz * seconds);

/** The amplitude of one frequency in 16 kHz samples (Goertzel's algorithm). */
function amplitudeOf(pcm: Float32Array, hz: number): number {
  let re = 0;
  let im = 0;
  pcm.forEach((sample, n) => {
    re += sample * Math.cos((2 * Math.PI * hz * n) / 16_000);
    im += sample * Math.sin((2 * Math.PI * hz * n) / 16_000);
  });
  return (2 * Math.hypot(re, im)) / pcm.length;
}

const pcmOf = (bytes: Uint8Array): Float32Array => {
  const parsed = parseWav(bytes);
  if (!parsed.ok) throw new Error(parsed.error.code);
  return parsed.value.pcm;
};

describe('parseWav', () => {
  const shapes: [what: string, shape: WavShape][] = [
    ['16-bit', {}],
    ['8-bit', { bits: 8 }],
    ['24-bit', { bits: 24 }],
    ['32-bit', { bits: 32 }],
    ['32-bit float', { bits: 32, code: 3 }],
    ['64-bit float', { bits: 64, code: 3 }],
    ['stereo', { channels: 2 }],
    ['44.1 kHz stereo', { rateHz: 44_100, channels: 2 }],
    ['48 kHz with five channels', { rateHz: 48_000, channels: 5, bits: 24 }],
    ['8 kHz telephone', { rateHz: 8_000 }],
    ['extra chunks before the audio', { extra: ['odd', 'recorder metadata'] }],
  ];
  it.each(shapes)('reads %s as 16 kHz mono with the tone intact', (_what, shape) => {
    const pcm = pcmOf(aWav(0.5, tone(1_000), shape));
    expect(Math.abs(pcm.length - 8_000)).toBeLessThanOrEqual(1);
    expect(amplitudeOf(pcm, 1_000)).toBeCloseTo(0.5, 1);
    expect(amplitudeOf(pcm, 1_300)).toBeLessThan(0.02);
  });

  it.each([
    ['opposite phases', [1, -1], 0.5],
    ['nearly opposite phases', [1, -0.9], 0.5],
    ['one of eight channels', [1, 0, 0, 0, 0, 0, 0, 0], 0.5],
    ['one of two channels', [1, 0], 0.25],
  ])('keeps a voice that is recorded in %s', (_what, gains, amplitude) => {
    const whole = aWav(0.5, tone(1_000), { channels: gains.length });
    const view = new DataView(whole.buffer, whole.byteOffset + 44);
    for (let at = 0; at * 2 < view.byteLength; at += 1)
      view.setInt16(at * 2, Math.round(view.getInt16(at * 2, true) * (gains[at % gains.length] ?? 0)), true);
    expect(amplitudeOf(pcmOf(whole), 1_000)).toBeCloseTo(amplitude, 2);
  });

  it('keeps the form of float samples beyond full scale', () => {
    const pcm = pcmOf(aWav(0.5, tone(1_000, 3), { bits: 32, code: 3 }));
    expect(amplitudeOf(pcm, 1_000)).toBeCloseTo(1, 1);
    expect(amplitudeOf(pcm, 3_000)).toBeLessThan(0.01);
  });

  it('reads a file whose chunk of odd length is not padded', () => {
    const whole = Buffer.from(aWav(0.2, tone(440), { extra: ['odd'] }));
    const unpadded = Buffer.concat([whole.subarray(0, 47), whole.subarray(48)]);
    expect(unpadded.toString('latin1', 47, 51)).toBe('data');
    expect(pcmOf(unpadded).length).toBe(3_200);
  });

  it('avoids aliasing', () => {
    expect(amplitudeOf(pcmOf(aWav(0.5, tone(11_000), { rateHz: 48_000 })), 5_000)).toBeLessThan(0.003);
  });

  it('reads a truncated file as far as possible and reports it', () => {
    const whole = aWav(1, tone(440));
    const parsed = parseWav(whole.subarray(0, whole.length / 2));
    expect(parsed).toMatchObject({ ok: true, value: { truncated: true } });
    expect(parsed.ok && parsed.value.pcm.length).toBeGreaterThan(7_900);
  });

  it('reads a file with an unfinished header to its end', () => {
    expect(parseWav(aWav(0.2, tone(440), { declaredBytes: 0xffff_ffff }))).toMatchObject({
      ok: true,
      value: { truncated: false },
    });
  });

  it.each([
    ['a size near the largest, as in a pipe', 0x7fff_f024],
    ['no size, as a recorder that crashed leaves it', 0],
    ['the size of sound and header', 0.2 * 16_000 * 2 + 44],
  ])('reads a file with %s to its end', (_what, declaredBytes) => {
    const parsed = parseWav(aWav(0.2, tone(440), { declaredBytes }));
    expect(parsed).toMatchObject({ ok: true, value: { truncated: false } });
    expect(parsed.ok && parsed.value.pcm.length).toBe(3_200);
  });

  it('finds no sound where another chunk follows an empty one', () => {
    const chunk = Buffer.alloc(12);
    chunk.write('LIST');
    chunk.writeUInt32LE(4, 4);
    const parsed = parseWav(Buffer.concat([aWav(0, tone(440)), chunk]));
    expect(parsed).toMatchObject({ ok: false, error: { code: 'audio.empty' } });
  });

  const refused: [what: string, bytes: Uint8Array, code: string][] = [
    ['an empty file', new Uint8Array(0), 'audio.empty'],
    ['a text', Buffer.from('this is not a recording at all'), 'audio.not_wav'],
    ['a lone header', aWav(0.1, tone(440)).subarray(0, 30), 'audio.truncated'],
    ['a header without audio', aWav(0, tone(440)), 'audio.empty'],
    ['a compressed WAV', aWav(0.1, tone(440), { code: 85 }), 'audio.unsupported'],
    ['an absurd sample rate', aWav(0.01, tone(440), { rateHz: 400_000 }), 'audio.unsupported'],
  ];
  it.each(refused)('rejects %s with a code and a hint', (_what, bytes, code) => {
    const parsed = parseWav(bytes);
    expect(parsed).toMatchObject({ ok: false, error: { code } });
    expect(!parsed.ok && parsed.error.message).toMatch(/\.$/);
  });

  it('reads or rejects any bytes without throwing', () => {
    const header = aWav(0.01, tone(440)).subarray(0, 44);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(43), fc.boolean(), (noise, at, isHeaded) => {
        const bytes = isHeaded ? Buffer.concat([header, noise]) : noise;
        if (isHeaded) bytes[at] = noise[0] ?? 0;
        const parsed = parseWav(bytes);
        return !parsed.ok || parsed.value.pcm.every(Number.isFinite);
      }),
      { seed: 20_261_118 },
    );
  });

  it('survives a round trip except for 16-bit rounding', () => {
    fc.assert(
      fc.property(fc.float32Array({ min: -1, max: 1, noNaN: true, minLength: 1, maxLength: 400 }), (pcm) => {
        const bytes = encodeWav(pcm);
        const read = pcmOf(bytes);
        return (
          read.length === pcm.length &&
          read.every((sample, index) => Math.abs(sample - (pcm[index] ?? 0)) < 1e-4) &&
          decodePcm16(bytes.subarray(44)).every((sample, index) => sample === read[index])
        );
      }),
      { seed: 20_261_118 },
    );
  });
});

describe('createResampler', () => {
  const sound = Float32Array.from({ length: 4_000 }, (_, n) => 0.4 * Math.sin(n / 7) + 0.2 * Math.sin(n / 2.3));

  it.each([
    [16_000, 24_000],
    [24_000, 16_000],
    [44_100, 16_000],
  ])('matches resampling the whole signal: %i to %i Hz', (fromHz, toHz) => {
    const whole = resample(sound, fromHz, toHz);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 20 }), (lengths) => {
        const take = createResampler(fromHz, toHz);
        const came: number[] = [];
        let at = 0;
        for (const length of lengths) {
          came.push(...take(sound.slice(at, at + length)));
          at = Math.min(sound.length, at + length);
        }
        // All but the last few samples, which need the samples after them.
        expect(came.length).toBeGreaterThan(Math.floor((at * toHz) / fromHz) - 60);
        came.forEach((sample, index) => expect(sample).toBeCloseTo(whole[index] ?? 0, 5));
      }),
      { numRuns: 30 },
    );
  });
});
