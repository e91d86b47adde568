import { describe, expect, it } from 'vitest';
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { exchangeLogRatios, sequenceLogLikelihood } from './exchanges.ts';

const OUTPUTS = 5;

/** Reproducible posteriors over few outputs, so that every alignment can be listed. */
function somePosteriors(frames: number, seed: number): Posteriors {
  let state = seed;
  const logProbs = new Float32Array(frames * OUTPUTS);
  for (let frame = 0; frame < frames; frame += 1) {
    const weights = Array.from({ length: OUTPUTS }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return 0.05 + state / 2_147_483_648;
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    weights.forEach((weight, output) => (logProbs[frame * OUTPUTS + output] = Math.log(weight / sum)));
  }
  return { frames, outputs: OUTPUTS, logProbs };
}

/** The definition of CTC: the probability of every path that collapses to the sequence. */
function listedLogLikelihood({ frames, logProbs }: Posteriors, sequence: readonly number[]): number {
  let sum = 0;
  for (let path = 0; path < OUTPUTS ** frames; path += 1) {
    const said: number[] = [];
    let [previous, rest, logProb] = [0, path, 0];
    for (let frame = 0; frame < frames; frame += 1) {
      const output = rest % OUTPUTS;
      rest = Math.floor(rest / OUTPUTS);
      if (output !== previous && output !== 0) said.push(output);
      previous = output;
      logProb += logProbs[frame * OUTPUTS + output] ?? 0;
    }
    if (said.join() === sequence.join()) sum += Math.exp(logProb);
  }
  return Math.log(sum);
}

describe('exchanged phones', () => {
  it.each([
    [[1, 2, 3], 7],
    [[2, 2], 11],
    [[1, 2, 1], 13],
    [[4], 17],
  ])('of %j are as likely as all of their paths together', (outputs, seed) => {
    const order = somePosteriors(6, seed);
    const own = listedLogLikelihood(order, outputs);
    expect(sequenceLogLikelihood(order, outputs)).toBeCloseTo(own, 4);
    const ratio = exchangeLogRatios(order, outputs);
    for (let index = 0; index < outputs.length; index += 1)
      for (let output = 0; output < OUTPUTS; output += 1) {
        const exchanged = outputs.flatMap((each, at) => (at !== index ? [each] : output === 0 ? [] : [output]));
        expect(ratio?.(index, output)).toBeCloseTo(listedLogLikelihood(order, exchanged) - own, 4);
      }
  });

  it('cannot be found when the audio is shorter than the sequence', () => {
    expect(exchangeLogRatios(somePosteriors(2, 3), [1, 2, 3])).toBeNull();
    expect(exchangeLogRatios(somePosteriors(3, 3), [1, 1])).not.toBeNull();
    expect(sequenceLogLikelihood(somePosteriors(2, 3), [1, 1])).toBe(-Infinity);
  });
});
