/** The paths an utterance of given words may take through the acoustic model's outputs, as CTC sees them. */
import { BLANK } from '../pronounce/phones.ts';

export interface AlignmentState {
  /** Output of the acoustic model that this state consumes. */
  output: number;
  /** Word and variant it belongs to; null for the silences between words. */
  place: { word: number; variant: number; phone: number } | null;
  /** States that may come before it, itself included; a skip costs. */
  from: { state: number; cost: number }[];
}

export interface AlignmentGraph {
  states: AlignmentState[];
  /** Where a path may begin and end. */
  starts: number[];
  ends: number[];
}

/** Log-likelihood that leaving a word out must outweigh: 9 of 10 left-out words are found, 1 said word in 1,600 is called left out. */
const SKIP_COST_A_PHONE = 4;
const SKIP_COST = 6;
/** What a pronunciation that is not the usual one must gain: a learner's slip is no variant. */
const UNUSUAL_COST = 4;

/**
 * A chain of words, each with parallel pronunciations, blanks between labels as in CTC (Graves et al., 2006).
 * `variantsByWord[w]` lists output sequences; with `allowSkips` a word may be left out at a cost.
 */
export function alignmentGraph(
  variantsByWord: readonly (readonly (readonly number[])[])[],
  options: { allowSkips: boolean },
): AlignmentGraph {
  const states: AlignmentState[] = [];
  const add = (output: number, place: AlignmentState['place'], from: AlignmentState['from']): number => {
    const index = states.length;
    states.push({ output, place, from: [{ state: index, cost: 0 }, ...from] });
    return index;
  };
  const free = (state: number): { state: number; cost: number } => ({ state, cost: 0 });

  let boundary = add(BLANK, null, []);
  const starts = [boundary];
  let lastPhones: number[] = [];
  variantsByWord.forEach((variants, word) => {
    const wordEnds: number[] = [];
    variants.forEach((outputs, variant) => {
      let before: number[] = [boundary, ...lastPhones.filter((state) => states[state]?.output !== outputs[0])];
      outputs.forEach((output, phone) => {
        const cost = phone === 0 && variant > 0 ? UNUSUAL_COST : 0;
        const state = add(
          output,
          { word, variant, phone },
          before.map((from) => ({ state: from, cost })),
        );
        if (word === 0 && phone === 0) starts.push(state);
        if (phone === outputs.length - 1) {
          wordEnds.push(state);
          return;
        }
        const blank = add(BLANK, { word, variant, phone }, [free(state)]);
        before = outputs[phone + 1] === output ? [blank] : [blank, state];
      });
    });
    const shortest = Math.min(...variants.map((outputs) => outputs.length));
    const skip = options.allowSkips ? [{ state: boundary, cost: SKIP_COST + SKIP_COST_A_PHONE * shortest }] : [];
    boundary = add(BLANK, null, [...wordEnds.map(free), ...skip]);
    lastPhones = wordEnds;
  });
  return { states, starts, ends: [boundary, ...lastPhones] };
}
