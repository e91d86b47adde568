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

/** "Any sound at all", where it is heard and no word of the text is: emits what is likeliest in a frame, at a cost. */
export const FILLER = -1;

/** Log-likelihood that leaving a word out must outweigh. These costs were measured: see the model card. */
const SKIP_COST_A_PHONE = 4;
const SKIP_COST = 6;
/** What sounds between the words must outweigh to count as something else that was said: once, and in each frame. */
const FILLER_COST = 20;
export const FILLER_COST_A_FRAME = 1.5;
/** What a pronunciation that is not the usual one must gain: a learner's slip is no variant. */
const UNUSUAL_COST = 4;

export interface GraphOptions {
  /** A word may be left out. */
  canSkip: boolean;
  /** Something else may be said between the words. */
  canInsert: boolean;
}

/**
 * A chain of words, each with parallel pronunciations, blanks between labels as in CTC (Graves et al., 2006).
 * `variantsByWord[w]` lists output sequences. The same graph serves what sounds in each
 * frame: there the blank is silence.
 */
export function alignmentGraph(
  variantsByWord: readonly (readonly (readonly number[])[])[],
  { canSkip, canInsert }: GraphOptions,
): AlignmentGraph {
  const states: AlignmentState[] = [];
  const add = (output: number, place: AlignmentState['place'], from: AlignmentState['from']): number => {
    const index = states.length;
    states.push({ output, place, from: [{ state: index, cost: 0 }, ...from] });
    return index;
  };
  const at = (cost: number) => (state: number) => ({ state, cost });

  let boundary = add(BLANK, null, []);
  const starts = [boundary];
  let lastPhones: number[] = [];
  const addFillers = (): number[] =>
    canInsert ? [add(FILLER, null, [boundary, ...lastPhones].map(at(FILLER_COST)))] : [];
  let fillers = addFillers();
  variantsByWord.forEach((variants, word) => {
    const wordEnds: number[] = [];
    variants.forEach((outputs, variant) => {
      const follows = lastPhones.filter((state) => states[state]?.output !== outputs[0]);
      let before: number[] = [boundary, ...fillers, ...follows];
      outputs.forEach((output, phone) => {
        const cost = phone === 0 && variant > 0 ? UNUSUAL_COST : 0;
        const state = add(output, { word, variant, phone }, before.map(at(cost)));
        if (word === 0 && phone === 0) starts.push(state);
        if (phone === outputs.length - 1) {
          wordEnds.push(state);
          return;
        }
        const blank = add(BLANK, { word, variant, phone }, [at(0)(state)]);
        before = outputs[phone + 1] === output ? [blank] : [blank, state];
      });
    });
    const shortest = Math.min(...variants.map((outputs) => outputs.length));
    const skips = canSkip ? [boundary, ...fillers].map(at(SKIP_COST + SKIP_COST_A_PHONE * shortest)) : [];
    boundary = add(BLANK, null, [...wordEnds.map(at(0)), ...skips]);
    lastPhones = wordEnds;
    fillers = addFillers();
  });
  return { states, starts, ends: [boundary, ...lastPhones, ...fillers] };
}
