/** Where in a text a voice is, while it speaks: the forward half of the alignment, a few frames at a time. */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { alignmentGraph } from '../align/graph.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';

export interface Progress {
  /** Words from the beginning that were said or passed over, of those written. */
  words: number;
  /** Log-likelihood of all frames so far; comparable between texts that followed the same frames. */
  logLikelihood: number;
}

export interface Follower {
  /** Takes the frames that come next. */
  step: (sounds: Posteriors) => void;
  progress: () => Progress;
}

const IMPOSSIBLE = -1e30;

export function createFollower(words: readonly WordToSay[]): Follower {
  const sayable = words.flatMap(({ pronunciations }, index) =>
    pronunciations.length === 0 ? [] : [{ index, pronunciations }],
  );
  const { states, starts } = alignmentGraph(
    sayable.map(({ pronunciations }) => pronunciations.map(({ outputs }) => outputs)),
    // "Anything at all" would always explain the beginning of a text best: what it leaves out is still to come.
    { canSkip: true, canInsert: false },
  );
  /** Written words that are over once a state is reached. */
  const wordsAt = wordsOver(states, sayable, words.length);
  let score = new Float64Array(states.length).fill(IMPOSSIBLE);
  let next = new Float64Array(states.length);
  let hasBegun = false;
  const stepFrame = (row: Float32Array): void => {
    const emit = (output: number): number => row[output] as number;
    if (!hasBegun) {
      hasBegun = true;
      for (const start of starts) score[start] = emit(states[start]?.output ?? 0);
      return;
    }
    states.forEach(({ output, from }, state) => {
      let best = IMPOSSIBLE;
      for (const { state: before, cost } of from) best = Math.max(best, (score[before] as number) - cost);
      next[state] = best + emit(output);
    });
    [score, next] = [next, score];
  };
  return {
    step: ({ frames, outputs, logProbs }) => {
      for (let frame = 0; frame < frames; frame += 1)
        stepFrame(logProbs.subarray(frame * outputs, (frame + 1) * outputs));
    },
    progress: () => {
      let best = 0;
      for (let state = 1; state < score.length; state += 1)
        if ((score[state] as number) > (score[best] as number)) best = state;
      return hasBegun
        ? { words: wordsAt[best] ?? 0, logLikelihood: score[best] as number }
        : { words: 0, logLikelihood: 0 };
    },
  };
}

function wordsOver(
  states: ReturnType<typeof alignmentGraph>['states'],
  sayable: readonly { index: number; pronunciations: readonly { outputs: number[] }[] }[],
  count: number,
): number[] {
  let over = 0;
  return states.map(({ place, output }) => {
    if (place === null) return over;
    const source = sayable[place.word];
    const isLastPhone =
      place.phone === (source?.pronunciations[place.variant]?.outputs.length ?? 0) - 1 && output !== 0;
    // States come in the order of the text: what follows a word's last phone has it behind itself.
    const after = sayable[place.word + 1]?.index ?? count;
    if (isLastPhone) over = after;
    return isLastPhone ? after : (source?.index ?? 0);
  });
}
