/** Builds the graph of all ways to say a text, in terms of the acoustic model's CTC outputs. */
import { BLANK } from '../pronounce/phones.ts';

export interface AlignmentState {
  /** The acoustic model's output that this state consumes. */
  output: number;
  /** The word and variant of this state; null for silence between words. */
  place: { word: number; variant: number; phone: number } | null;
  /** The states that may precede it, including itself. Skipping has a cost. */
  from: { state: number; cost: number }[];
}

export interface AlignmentGraph {
  states: AlignmentState[];
  /** The states where a path may begin and end. */
  starts: number[];
  ends: number[];
}

/** A filler state for speech that is not in the text: it accepts the most likely output of a frame, at a cost. */
export const FILLER = -1;

/** The log-likelihood that an omission must gain. The costs were tuned; see the model card. */
const SKIP_COST_PER_PHONE = 6;
const SKIP_COST = 6;
/** The cost of counting a filler as inserted speech: once, and per frame. */
const FILLER_COST = 20;
export const FILLER_COST_PER_FRAME = 1.5;
/** Otherwise a breath before a pause would count as other speech. */
const PAUSE_AFTER_FILLER_COST = 10;
/** The cost of an unusual pronunciation, so that a learner's mistake is not accepted as a variant. */
const VARIANT_COST = 4;

export interface GraphOptions {
  /** Words may be omitted. */
  canSkip: boolean;
  /** Other speech may be inserted between the words. */
  canInsert: boolean;
}

/**
 * Builds a chain of words with parallel pronunciations and CTC blanks between labels (Graves et al., 2006). `variantsByWord[w]` lists
 * output sequences. The same graph works for the frame-wise output, in which the blank is silence.
 */
export function alignmentGraph(
  variantsByWord: readonly (readonly (readonly number[])[])[],
  { canSkip, canInsert }: GraphOptions,
): AlignmentGraph {
  const states: AlignmentState[] = [];
  const addState = (output: number, place: AlignmentState['place'], from: AlignmentState['from']): number => {
    const index = states.length;
    states.push({ output, place, from: [{ state: index, cost: 0 }, ...from] });
    return index;
  };
  const withCost = (cost: number) => (state: number) => ({ state, cost });

  let boundary = addState(BLANK, null, []);
  const starts = [boundary];
  let lastPhones: number[] = [];
  /** Other speech and the silence after it, which would otherwise lengthen the next word. */
  const addFillers = (): number[] => {
    if (!canInsert) return [];
    const filler = addState(FILLER, null, [boundary, ...lastPhones].map(withCost(FILLER_COST)));
    return [filler, addState(BLANK, null, [withCost(PAUSE_AFTER_FILLER_COST)(filler)])];
  };
  let fillers = addFillers();
  variantsByWord.forEach((variants, word) => {
    const wordEnds: number[] = [];
    variants.forEach((outputs, variant) => {
      const follows = lastPhones.filter((state) => states[state]?.output !== outputs[0]);
      let before: number[] = [boundary, ...fillers, ...follows];
      outputs.forEach((output, phone) => {
        const cost = phone === 0 && variant > 0 ? VARIANT_COST : 0;
        const state = addState(output, { word, variant, phone }, before.map(withCost(cost)));
        if (word === 0 && phone === 0) starts.push(state);
        if (phone === outputs.length - 1) {
          wordEnds.push(state);
          return;
        }
        const blank = addState(BLANK, { word, variant, phone }, [withCost(0)(state)]);
        before = outputs[phone + 1] === output ? [blank] : [blank, state];
      });
    });
    const shortest = Math.min(...variants.map((outputs) => outputs.length));
    const skips = canSkip ? [boundary, ...fillers].map(withCost(SKIP_COST + SKIP_COST_PER_PHONE * shortest)) : [];
    boundary = addState(BLANK, null, [...wordEnds.map(withCost(0)), ...skips]);
    lastPhones = wordEnds;
    fillers = addFillers();
  });
  return { states, starts, ends: [boundary, ...lastPhones, ...fillers] };
}
