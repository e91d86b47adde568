/** Promises about agreement with human experts, on speakers of the corpus that nothing was trained on. */
import type { CorpusFigures } from '@parley/speech/evaluate';
import { heldOutFigures } from '../measure/held-out-figures.ts';
import { atLeast, notMeasured, type Outcome, type ProductPromise } from './promise.ts';

export const NO_CORPUS = 'needs the corpus (PARLEY_CORPUS_DIR) and opusdec';

export const heldOut = (says: string, bar: number, figure: keyof CorpusFigures): ProductPromise => ({
  says,
  bar: `>= ${bar}`,
  keep: async (): Promise<Outcome> => {
    const figures = await heldOutFigures();
    return figures === null ? notMeasured(NO_CORPUS) : atLeast(figures[figure], bar);
  },
});
