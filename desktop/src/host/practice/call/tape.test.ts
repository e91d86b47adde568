import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTape } from './tape.ts';

/** `ms` of sound in which every sample says how many came before it, as far as 16 bits go. */
function counting(fromSample: number, samples: number): Uint8Array {
  const pcm = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index += 1) pcm.writeUInt16LE((fromSample + index) % 65_536, index * 2);
  return pcm;
}

describe('a tape', () => {
  it('gives back what is between two places, however it came', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (lengths, one, other) => {
          const tape = createTape();
          let samples = 0;
          for (const length of lengths) {
            tape.append(counting(samples, length));
            samples += length;
          }
          const [fromMs, toMs] = [one, other].toSorted((a, b) => a - b).map((share) => share * tape.endMs);
          const cut = Buffer.from(tape.cut(fromMs ?? 0, toMs ?? 0));
          const from = Math.round((fromMs ?? 0) * 16);
          expect(tape.endMs).toBe(samples / 16);
          expect(cut.equals(counting(from, Math.round((toMs ?? 0) * 16) - from))).toBe(true);
        },
      ),
    );
  });

  it('forgets what is older than any turn, and keeps the rest in its place', () => {
    const tape = createTape();
    for (let second = 0; second < 300; second += 1) tape.append(counting(second * 16_000, 16_000));
    expect(tape.cut(0, 1_000).byteLength).toBe(0);
    expect(Buffer.from(tape.cut(150_000, 150_100)).equals(counting(150_000 * 16, 1_600))).toBe(true);
    expect(tape.cut(299_900, 400_000).byteLength).toBe(100 * 32);
  });
});
