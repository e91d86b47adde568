/**
 * Compares each expected phone with every other phone in its place, using the CTC likelihood of the whole sequence, so
 * that the result does not depend on where the phone was aligned (after Cao et al., 2024, and arXiv 2507.16838).
 */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK } from '../pronounce/phones.ts';

/**
 * The log-likelihood that another output was said in place of a phone, relative to the phone itself; the blank stands
 * for an omitted phone. A positive value means that the audio fits the exchanged sequence better.
 */
export type ExchangeLogRatio = (phone: number, output: number) => number;

/** How far a phone may be from its most likely frame. */
const REACH_FRAMES = 20;

const logAdd = (a: number, b: number): number => {
  const high = Math.max(a, b);
  return high === -Infinity ? high : high + Math.log1p(Math.exp(Math.min(a, b) - high));
};

/** The CTC log-likelihood of a sequence of outputs, summed over all of its alignments (Graves et al., 2006); -Infinity when the audio is too short. */
export function sequenceLogLikelihood(order: Posteriors, outputs: readonly number[]): number {
  return totalOf(forward(order, outputs), order.frames, 2 * outputs.length + 1);
}

/** Null when the audio has too few frames for the sequence. */
export function exchangeLogRatios(order: Posteriors, outputs: readonly number[]): ExchangeLogRatio | null {
  const states = 2 * outputs.length + 1;
  const before = forward(order, outputs);
  const total = totalOf(before, order.frames, states);
  if (outputs.length === 0 || total === -Infinity) return null;
  const after = backward(order, outputs);
  return (index, output) => {
    if (output === outputs[index]) return 0;
    const lattice = { order, outputs, states, before, after, index };
    return (output === BLANK ? withoutPhone(lattice) : withOutput(lattice, output)) - total;
  };
}

interface Lattice {
  order: Posteriors;
  outputs: readonly number[];
  states: number;
  /** Per frame and state, the log-likelihood of all paths that end there, including this frame. */
  before: Float64Array;
  /** The same for all paths that begin there, including this frame. */
  after: Float64Array;
  index: number;
}

/** State 2i + 1 is output i; the even states are the blanks around them. */
const outputOfState = (outputs: readonly number[], state: number): number =>
  state % 2 === 0 ? BLANK : (outputs[(state - 1) / 2] as number);

const canSkipBlank = (outputs: readonly number[], state: number): boolean =>
  state % 2 === 1 && state >= 3 && outputOfState(outputs, state) !== outputOfState(outputs, state - 2);

function forward({ frames, outputs: width, logProbs }: Posteriors, outputs: readonly number[]): Float64Array {
  const states = 2 * outputs.length + 1;
  const scores = new Float64Array(frames * states).fill(-Infinity);
  scores[0] = logProbs[BLANK] as number;
  if (states > 1) scores[1] = logProbs[outputs[0] as number] as number;
  for (let frame = 1; frame < frames; frame += 1)
    for (let state = 0; state < states; state += 1) {
      const previous = (frame - 1) * states + state;
      let sum = scores[previous] as number;
      if (state > 0) sum = logAdd(sum, scores[previous - 1] as number);
      if (canSkipBlank(outputs, state)) sum = logAdd(sum, scores[previous - 2] as number);
      scores[frame * states + state] = sum + (logProbs[frame * width + outputOfState(outputs, state)] as number);
    }
  return scores;
}

function backward({ frames, outputs: width, logProbs }: Posteriors, outputs: readonly number[]): Float64Array {
  const states = 2 * outputs.length + 1;
  const scores = new Float64Array(frames * states).fill(-Infinity);
  for (let frame = frames - 1; frame >= 0; frame -= 1)
    for (let state = 0; state < states; state += 1) {
      const next = (frame + 1) * states + state;
      let sum = frame === frames - 1 ? (state >= states - 2 ? 0 : -Infinity) : (scores[next] as number);
      if (frame < frames - 1 && state + 1 < states) sum = logAdd(sum, scores[next + 1] as number);
      if (frame < frames - 1 && state + 2 < states && canSkipBlank(outputs, state + 2))
        sum = logAdd(sum, scores[next + 2] as number);
      scores[frame * states + state] = sum + (logProbs[frame * width + outputOfState(outputs, state)] as number);
    }
  return scores;
}

const totalOf = (scores: Float64Array, frames: number, states: number): number => {
  const last = frames * states - 1;
  return frames === 0
    ? -Infinity
    : logAdd(scores[last] as number, states > 1 ? (scores[last - 1] as number) : -Infinity);
};

/** The frames around the most likely position of the phone. */
function likelyFrames({ order, outputs, states, before, after, index }: Lattice): { from: number; to: number } {
  const output = outputs[index] as number;
  let best = 0;
  let bestScore = -Infinity;
  for (let frame = 0; frame < order.frames; frame += 1) {
    const at = frame * states + 2 * index + 1;
    const score =
      (before[at] as number) + (after[at] as number) - (order.logProbs[frame * order.outputs + output] as number);
    if (score > bestScore) [best, bestScore] = [frame, score];
  }
  return { from: Math.max(0, best - REACH_FRAMES), to: Math.min(order.frames - 1, best + REACH_FRAMES) };
}

/** The log-likelihood of the sequence with another output in place of this phone. */
function withOutput(lattice: Lattice, output: number): number {
  const { order, outputs, states, before, after, index } = lattice;
  const { from, to } = likelyFrames(lattice);
  const blank = 2 * index;
  const followsDirectly = index > 0 && outputs[index - 1] !== output;
  const leadsDirectly = index + 1 < outputs.length && outputs[index + 1] !== output;
  let inside = -Infinity;
  let total = -Infinity;
  for (let frame = from; frame <= to; frame += 1) {
    const previous = (frame - 1) * states + blank;
    let entered = frame === 0 && index === 0 ? 0 : -Infinity;
    if (frame > 0) {
      entered = before[previous] as number;
      if (followsDirectly) entered = logAdd(entered, before[previous - 1] as number);
    }
    inside = logAdd(inside, entered) + (order.logProbs[frame * order.outputs + output] as number);
    let rest = frame === order.frames - 1 && index === outputs.length - 1 ? 0 : -Infinity;
    if (frame < order.frames - 1) {
      const next = (frame + 1) * states + blank;
      rest = after[next + 2] as number;
      if (leadsDirectly) rest = logAdd(rest, after[next + 3] as number);
    }
    total = logAdd(total, inside + rest);
  }
  return total;
}

/** The log-likelihood of the sequence without this phone. */
function withoutPhone({ order, outputs, states, before, after, index }: Lattice): number {
  const blank = 2 * index;
  const isLast = index === outputs.length - 1;
  const touches = index > 0 && !isLast && outputs[index - 1] !== outputs[index + 1];
  if (isLast) {
    const last = (order.frames - 1) * states + blank;
    return index === 0 ? (before[last] as number) : logAdd(before[last] as number, before[last - 1] as number);
  }
  let total = index === 0 ? (after[3] as number) : -Infinity;
  for (let frame = 0; frame < order.frames - 1; frame += 1) {
    const at = frame * states + blank;
    const left = touches ? logAdd(before[at] as number, before[at - 1] as number) : (before[at] as number);
    total = logAdd(total, left + (after[at + states + 3] as number));
  }
  return total;
}
