import { describe, expect, it } from 'vitest';
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { createProgressTracker } from './progress-tracker.ts';

const outputs = (phones: string): number[] =>
  phones.split(' ').map((phone) => (phone === '_' ? 0 : (outputOf(phone) ?? -1)));

function posteriorsOf(phones: string): Posteriors {
  const byFrame = outputs(phones);
  const logProbs = new Float32Array(byFrame.length * OUTPUTS).fill(Math.log(0.01 / (OUTPUTS - 1)));
  byFrame.forEach((output, frame) => {
    logProbs[frame * OUTPUTS + output] = Math.log(0.99);
  });
  return { frames: byFrame.length, outputs: OUTPUTS, logProbs };
}

const word = (text: string, phones: string): ExpectedWord => ({
  word: text,
  pauseAfter: 'none',
  pronunciations: phones === '' ? [] : [{ phones: phones.split(' '), outputs: outputs(phones) }],
});

const I_SEE_CATS = [word('I', 'AY1'), word('see', 'S IY1'), word('cats', 'K AE1 T S')];

describe('createProgressTracker', () => {
  it('counts completed words as they are spoken', () => {
    const follower = createProgressTracker(I_SEE_CATS);
    const counts = ['_ _', 'AY1 AY1', '_ S IY1', 'IY1 _ _', 'K AE1', 'T S S', '_ _'].map((phones) => {
      follower.step(posteriorsOf(phones));
      return follower.progress().words;
    });
    expect(counts).toEqual([0, 1, 2, 2, 2, 3, 3]);
  });

  it('skips omitted words and words without a pronunciation', () => {
    const follower = createProgressTracker([word('I', 'AY1'), word('你好', ''), word('cats', 'K AE1 T S')]);
    follower.step(posteriorsOf('_ AY1 AY1 _'));
    expect(follower.progress().words).toBe(2);
    const skipping = createProgressTracker(I_SEE_CATS);
    skipping.step(posteriorsOf('_ AY1 AY1 _ K K AE1 AE1 T T S S _'));
    expect(skipping.progress().words).toBe(3);
  });

  it('gives the spoken text a higher likelihood than another', () => {
    const [right, wrong] = [createProgressTracker(I_SEE_CATS), createProgressTracker([word('no', 'N OW1')])];
    for (const follower of [right, wrong]) follower.step(posteriorsOf('_ AY1 S IY1 K AE1 T S _'));
    expect(right.progress().logLikelihood).toBeGreaterThan(wrong.progress().logLikelihood + 10);
  });

  it('reports no progress before any audio', () => {
    expect(createProgressTracker(I_SEE_CATS).progress()).toEqual({ words: 0, logLikelihood: 0 });
  });
});
