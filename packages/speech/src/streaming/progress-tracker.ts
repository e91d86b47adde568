/** Tracks how much of a text has been spoken so far: the forward pass of the alignment, a few frames at a time. */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { alignmentGraph } from '../align/graph.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';

export interface TextProgress {
  /** The number of written words from the beginning that were said or skipped. */
  words: number;
  /** The log-likelihood of all frames so far, comparable between texts over the same frames. */
  logLikelihood: number;
}

export interface ProgressTracker {
  /** Processes the next frames. */
  step: (sounds: Posteriors) => void;
  progress: () => TextProgress;
}

const IMPOSSIBLE = -1e30;

export function createProgressTracker(words: readonly ExpectedWord[]): ProgressTracker {
  const sayable = words.flatMap(({ pronunciations }, index) =>
    pronunciations.length === 0 ? [] : [{ index, pronunciations }],
  );
  const { states, starts } = alignmentGraph(
    sayable.map(({ pronunciations }) => pronunciations.map(({ outputs }) => outputs)),
    // A filler would always explain the beginning of a text best, because the missing part is still to come.
    { canSkip: true, canInsert: false },
  );
  /** The number of written words that are complete in each state. */
  const completedWords = completedWordsByState(states, sayable, words.length);
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
        ? { words: completedWords[best] ?? 0, logLikelihood: score[best] as number }
        : { words: 0, logLikelihood: 0 };
    },
  };
}

function completedWordsByState(
  states: ReturnType<typeof alignmentGraph>['states'],
  sayable: readonly { index: number; pronunciations: readonly { outputs: number[] }[] }[],
  count: number,
): number[] {
  let completed = 0;
  return states.map(({ place, output }) => {
    if (place === null) return completed;
    const source = sayable[place.word];
    const isLastPhone =
      place.phone === (source?.pronunciations[place.variant]?.outputs.length ?? 0) - 1 && output !== 0;
    // States are in text order, so a state after a word's last phone has that word behind it.
    const after = sayable[place.word + 1]?.index ?? count;
    if (isLastPhone) completed = after;
    return isLastPhone ? after : (source?.index ?? 0);
  });
}
