import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AcousticOutput, Posteriors } from '../acoustic/acoustic-model.ts';
import { OUTPUTS, outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { alignWords, omittedWords, textFitPerPhone } from './align.ts';
import { alignmentGraph, FILLER, FILLER_COST_PER_FRAME } from './graph.ts';
import { bestPath, unconstrainedLogLikelihood } from './viterbi.ts';

const BLANK = 0;

/** The output of a nearly certain model: one output per frame. */
function posteriorsOf(outputsByFrame: readonly number[], outputs = OUTPUTS): Posteriors {
  const sure = Math.log(0.99);
  const rest = Math.log(0.01 / (outputs - 1));
  const logProbs = new Float32Array(outputsByFrame.length * outputs).fill(rest);
  outputsByFrame.forEach((output, frame) => {
    logProbs[frame * outputs + output] = sure;
  });
  return { frames: outputsByFrame.length, outputs, logProbs };
}

/** A single network with the same phone sequence and frame-wise output. */
function singleNetworkOutput(posteriors: Posteriors): AcousticOutput {
  const network = {
    order: posteriors,
    sounds: posteriors,
    goodness: new Float32Array(),
    sentence: new Float32Array(),
    embedding: new Float32Array(),
  };
  return { frames: posteriors.frames, sounds: posteriors, networks: [network] };
}

const output = (phone: string): number => outputOf(phone) ?? -1;
const word = (text: string, ...variants: string[]): ExpectedWord => ({
  word: text,
  pauseAfter: 'none',
  pronunciations: variants.map((variant) => {
    const phones = variant.split(' ');
    return { phones, outputs: phones.map(output) };
  }),
});
const frames = (phones: string): number[] => phones.split(' ').map((phone) => (phone === '_' ? BLANK : output(phone)));

const SEE = word('see', 'S IY1');
const THE = word('the', 'DH AH0', 'DH IY0');
const CAT = word('cat', 'K AE1 T');

describe('bestPath', () => {
  /** Tries every path of the graph. */
  function bestByExhaustiveSearch(posteriors: Posteriors, graph: ReturnType<typeof alignmentGraph>): number {
    let best = -Infinity;
    const emit = (frame: number, state: number): number => {
      const row = posteriors.logProbs.subarray(frame * posteriors.outputs, (frame + 1) * posteriors.outputs);
      const output = graph.states[state]?.output ?? 0;
      return output === FILLER ? Math.max(...row) - FILLER_COST_PER_FRAME : (row[output] ?? -Infinity);
    };
    const next = graph.states.map((_, state) =>
      graph.states.flatMap(({ from }, to) =>
        from.filter((edge) => edge.state === state).map(({ cost }) => ({ to, cost })),
      ),
    );
    const walk = (frame: number, state: number, score: number): void => {
      if (frame === posteriors.frames - 1) {
        if (graph.ends.includes(state)) best = Math.max(best, score);
        return;
      }
      for (const { to, cost } of next[state] ?? []) walk(frame + 1, to, score - cost + emit(frame + 1, to));
    };
    for (const start of graph.starts) walk(0, start, emit(0, start));
    return best;
  }

  it('finds the same path as an exhaustive search', () => {
    const OUTPUTS_HERE = 4;
    const variants = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }), {
      minLength: 1,
      maxLength: 2,
    });
    fc.assert(
      fc.property(
        fc.array(variants, { minLength: 1, maxLength: 2 }),
        fc.array(fc.double({ min: -6, max: 0, noNaN: true }), { minLength: 12, maxLength: 24 }),
        fc.record({
          canSkip: fc.boolean(),
          canInsert: fc.boolean(),
        }),
        (words, numbers, options) => {
          const count = Math.floor(numbers.length / OUTPUTS_HERE);
          const logProbs = Float32Array.from(numbers.slice(0, count * OUTPUTS_HERE));
          const posteriors = { frames: count, outputs: OUTPUTS_HERE, logProbs };
          const graph = alignmentGraph(words, options);
          const tried = bestByExhaustiveSearch(posteriors, graph);
          const found = bestPath(posteriors, graph);
          if (tried === -Infinity) return found === null;
          return found !== null && Math.abs(found.logLikelihood - tried) < 1e-3;
        },
      ),
      { numRuns: 200, seed: 20_261_118 },
    );
  });

  it('is never more likely than the unconstrained sequence', () => {
    const posteriors = posteriorsOf(frames('S S IY1 IY1 _ K AE1 T'));
    const path = bestPath(
      posteriors,
      alignmentGraph([[frames('S IY1')], [frames('K AE1 T')]], { canSkip: false, canInsert: false }),
    );
    expect(path?.logLikelihood).toBeCloseTo(unconstrainedLogLikelihood(posteriors), 4);
  });
});

describe('alignment', () => {
  it('finds each word and phone at its position', () => {
    const alignment = alignWords(singleNetworkOutput(posteriorsOf(frames('_ S S IY1 IY1 _ _ K AE1 AE1 T _'))), [
      SEE,
      CAT,
    ]);
    expect(
      alignment?.words.map(({ phones }) =>
        phones.map(({ phone, firstFrame, lastFrame }) => [phone, firstFrame, lastFrame]),
      ),
    ).toEqual([
      [
        ['S', 1, 2],
        ['IY1', 3, 4],
      ],
      [
        ['K', 7, 7],
        ['AE1', 8, 9],
        ['T', 10, 10],
      ],
    ]);
  });

  it('chooses the pronunciation that was used', () => {
    const alignment = alignWords(singleNetworkOutput(posteriorsOf(frames('DH IY0 _ K AE1 T'))), [THE, CAT]);
    expect(alignment?.words[0]?.pronunciation.phones).toEqual(['DH', 'IY0']);
  });

  it('distinguishes two equal phones in a row from one', () => {
    const SEES = word('sees', 'S IY1 Z');
    const ZOO = word('zoo', 'Z UW1');
    const alignment = alignWords(singleNetworkOutput(posteriorsOf(frames('S IY1 Z _ Z UW1'))), [SEES, ZOO]);
    expect(alignment?.words.map(({ phones }) => phones.length)).toEqual([3, 2]);
  });

  it('skips a word without a pronunciation', () => {
    const alignment = alignWords(singleNetworkOutput(posteriorsOf(frames('S IY1 _ K AE1 T'))), [
      SEE,
      word('你好'),
      CAT,
    ]);
    expect(alignment?.words.map((aligned) => aligned.word)).toEqual([0, 2]);
    expect(alignWords(singleNetworkOutput(posteriorsOf(frames('S IY1'))), [word('你好')])).toBeNull();
  });

  it('is null when the audio is shorter than the text', () => {
    expect(alignWords(singleNetworkOutput(posteriorsOf(frames('S IY1'))), [SEE, CAT])).toBeNull();
  });

  it('finds exactly the omitted word', () => {
    const omitted = (said: string, words: ExpectedWord[]) => omittedWords([posteriorsOf(frames(said))], words);
    expect(omitted('_ S IY1 _ K AE1 T _', [SEE, CAT])).toEqual(new Set());
    expect(omitted('_ S S IY1 IY1 _ _ _ _ _ _', [SEE, CAT])).toEqual(new Set([1]));
    expect(omitted('_ S S IY1 IY1 _ _ T _', [SEE, THE, CAT]).has(0)).toBe(false);
  });

  it('needs a majority of networks for an omission', () => {
    const [whole, part] = [posteriorsOf(frames('_ S IY1 _ K AE1 T _')), posteriorsOf(frames('_ S S IY1 _ _ _ _'))];
    expect(omittedWords([whole, part, part], [SEE, CAT])).toEqual(new Set([1]));
    expect(omittedWords([whole, whole, part], [SEE, CAT])).toEqual(new Set());
  });

  it('finds inserted speech and its position', () => {
    const insertions = (said: string) =>
      alignWords(singleNetworkOutput(posteriorsOf(frames(said))), [SEE, CAT])?.insertions;
    const morning = 'M M M AO1 AO1 AO1 R R N N IH1 IH1 NG NG Z Z';
    expect(insertions('_ S IY1 _ K AE1 T _')).toEqual([]);
    const pause = '_ _ _ _ _ _ _ _';
    expect(insertions(`_ S IY1 _ ${morning} ${pause} K AE1 T _`)).toMatchObject([
      { firstFrame: 4, lastFrame: 19, beforeWord: 1 },
    ]);
    const breath = 'M M M M';
    expect(insertions(`_ S IY1 _ ${breath} ${pause} K AE1 T _`)).toEqual([]);
    expect(insertions(`_ S IY1 _ K AE1 T _ ${breath} ${pause}`)).toEqual([]);
    expect(insertions(`_ S IY1 _ K AE1 T _ ${morning}`)).toMatchObject([{ firstFrame: 8, beforeWord: 2 }]);
  });

  it('fits the right text better than a wrong one', () => {
    const orders = [posteriorsOf(frames('_ S S IY1 IY1 _ _ K AE1 AE1 T _'))];
    const right = textFitPerPhone(orders, [SEE, CAT]) ?? -Infinity;
    const wrong = textFitPerPhone(orders, [CAT, SEE]) ?? -Infinity;
    expect(right).toBeCloseTo(0, 4);
    expect(wrong).toBeLessThan(-0.6);
    expect(textFitPerPhone(orders, [])).toBeNull();
  });
});
