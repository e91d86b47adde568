import { describe, expect, it } from 'vitest';
import type { Alignment } from '../align/align.ts';
import { type ExchangeLogRatio, exchangeLogRatios } from '../align/exchanges.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import { sequenceFeatures } from './sequence-features.ts';

const output = (phone: string): number => outputOf(phone) ?? 0;

/** From a network that is certain of one phone in each frame; `_` is the blank. */
function ratiosOf(frames: string): ExchangeLogRatio | null {
  const names = frames.split(' ');
  const logProbs = new Float32Array(names.length * OUTPUTS).fill(Math.log(1e-3));
  names.forEach((name, frame) => {
    logProbs[frame * OUTPUTS + (name === '_' ? 0 : output(name))] = Math.log(0.96);
  });
  const phones = seeCat().words.flatMap((word) => word.phones);
  return exchangeLogRatios(
    { frames: names.length, outputs: OUTPUTS, logProbs },
    phones.map((phone) => phone.output),
  );
}

/** Two words, "see" and "cat", with a silent frame between them. */
function seeCat(): Alignment {
  const wordOf = (word: number, phones: string[], from: number) => ({
    word,
    pronunciation: { phones, outputs: phones.map(output) },
    phones: phones.map((phone, at) => ({
      phone,
      output: output(phone),
      firstFrame: from + 2 * at,
      lastFrame: from + 2 * at + 1,
    })),
  });
  return {
    words: [wordOf(0, ['S', 'IY1'], 1), wordOf(1, ['K', 'AE1', 'T'], 6)],
    insertions: [],
  };
}

const RIGHT = '_ S S IY IY _ K K AE AE T T _';
const WRONG = '_ TH TH IY IY _ K K AE AE T T _';

describe('features without placement', () => {
  it('are near zero for the phones that were said, and low for one that was exchanged', () => {
    const right = sequenceFeatures(ratiosOf(RIGHT), seeCat());
    const wrong = sequenceFeatures(ratiosOf(WRONG), seeCat());
    for (const [likelihood = NaN] of right.phones) expect(likelihood).toBeGreaterThan(-0.5);
    expect(wrong.phones[0]?.[0]).toBeLessThan(-4);
    for (const [likelihood = NaN] of wrong.phones.slice(1)) expect(likelihood).toBeGreaterThan(-0.5);
    expect(wrong.words[0]?.[1]).toBe(wrong.phones[0]?.[0]);
    expect(wrong.words[1]?.[1]).toBeGreaterThan(-0.5);
  });
});
