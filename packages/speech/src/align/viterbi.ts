/** Finds the best path through an alignment graph (Viterbi). */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { type AlignmentGraph, FILLER, FILLER_COST_PER_FRAME } from './graph.ts';

export interface AlignmentPath {
  /** The state in each frame. */
  states: Int32Array;
  /** The log-likelihood of the whole path. */
  logLikelihood: number;
}

const IMPOSSIBLE = -1e30;

/** Null when the audio has fewer frames than the shortest path needs. */
export function bestPath(posteriors: Posteriors, graph: AlignmentGraph): AlignmentPath | null {
  const { frames, outputs, logProbs } = posteriors;
  const { states } = graph;
  const count = states.length;
  // Predecessor lists are flattened because this loop dominates the run time.
  const firstFrom = new Int32Array(count + 1);
  const fromState: number[] = [];
  const fromCost: number[] = [];
  states.forEach(({ from }, index) => {
    for (const { state, cost } of from) {
      fromState.push(state);
      fromCost.push(cost);
    }
    firstFrom[index + 1] = fromState.length;
  });
  const output = Int32Array.from(states, (state) => state.output);
  const fillerLogProbs = output.includes(FILLER) ? maxLogProbsByFrame(posteriors) : new Float32Array(0);
  let score = new Float64Array(count).fill(IMPOSSIBLE);
  let next = new Float64Array(count);
  for (const start of graph.starts) score[start] = logProbs[output[start] as number] as number;
  const choice = new Uint8Array(frames * count);
  for (let frame = 1; frame < frames; frame += 1) {
    const row = frame * outputs;
    for (let state = 0; state < count; state += 1) {
      let best = IMPOSSIBLE;
      let bestIndex = 0;
      const first = firstFrom[state] as number;
      const end = firstFrom[state + 1] as number;
      for (let at = first; at < end; at += 1) {
        const candidate = (score[fromState[at] as number] as number) - (fromCost[at] as number);
        if (candidate > best) {
          best = candidate;
          bestIndex = at - first;
        }
      }
      choice[frame * count + state] = bestIndex;
      const heard = output[state] as number;
      const likelihood = (heard === FILLER ? fillerLogProbs[frame] : logProbs[row + heard]) as number;
      next[state] = best + likelihood - (heard === FILLER ? FILLER_COST_PER_FRAME : 0);
    }
    [score, next] = [next, score];
  }
  let last = graph.ends[0] ?? 0;
  for (const end of graph.ends) if ((score[end] as number) > (score[last] as number)) last = end;
  const logLikelihood = score[last] as number;
  if (logLikelihood < IMPOSSIBLE / 2) return null;
  const path = new Int32Array(frames);
  for (let frame = frames - 1, state = last; frame >= 0; frame -= 1) {
    path[frame] = state;
    state = fromState[(firstFrom[state] as number) + (choice[frame * count + state] as number)] as number;
  }
  return { states: path, logLikelihood };
}

/** The log-likelihood of the best unconstrained sequence, to which every text is compared. */
export const unconstrainedLogLikelihood = (posteriors: Posteriors): number =>
  maxLogProbsByFrame(posteriors).reduce((sum, best) => sum + best, 0);

function maxLogProbsByFrame({ frames, outputs, logProbs }: Posteriors): Float32Array {
  return Float32Array.from({ length: frames }, (_, frame) => {
    let best = IMPOSSIBLE;
    for (let output = 0; output < outputs; output += 1)
      best = Math.max(best, logProbs[frame * outputs + output] as number);
    return best;
  });
}
