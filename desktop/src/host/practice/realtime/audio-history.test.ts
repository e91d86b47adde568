import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAudioHistory } from './audio-history.ts';

/** Creates PCM in which each sample holds its own index, modulo 16 bits. */
function countingPcm(fromSample: number, samples: number): Uint8Array {
  const pcm = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index += 1) pcm.writeUInt16LE((fromSample + index) % 65_536, index * 2);
  return pcm;
}

describe('an audio history', () => {
  it('returns the audio between two positions, however it was split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lengths, one, other) => {
          const history = createAudioHistory();
          let samples = 0;
          for (const length of lengths) {
            history.append(countingPcm(samples, length));
            samples += length;
          }
          const [fromMs, toMs] = [one, other].toSorted((a, b) => a - b).map((share) => share * history.endMs);
          const cut = Buffer.from(history.slice(fromMs ?? 0, toMs ?? 0));
          const from = Math.round((fromMs ?? 0) * 16);
          expect(history.endMs).toBe(samples / 16);
          expect(cut.equals(countingPcm(from, Math.round((toMs ?? 0) * 16) - from))).toBe(true);
        },
      ),
    );
  });

  it('drops audio older than any turn and keeps the other positions', () => {
    const history = createAudioHistory();
    for (let second = 0; second < 300; second += 1) history.append(countingPcm(second * 16_000, 16_000));
    expect(history.slice(0, 1_000).byteLength).toBe(0);
    expect(Buffer.from(history.slice(150_000, 150_100)).equals(countingPcm(150_000 * 16, 1_600))).toBe(true);
    expect(history.slice(299_900, 400_000).byteLength).toBe(100 * 32);
  });
});
