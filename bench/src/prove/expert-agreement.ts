/** Builds promises about agreement with human experts on held-out speakers of the corpus. */
import type { CorpusFigures } from '@parley/speech/evaluate';
import { measureExpertAgreement } from '../measure/expert-agreement.ts';
import { atLeast, notMeasured, type Outcome, type ProductPromise } from './promise.ts';

export const NO_CORPUS = 'needs the corpus (PARLEY_CORPUS_DIR) and opusdec';

export const expertAgreement = (claim: string, bar: number, figure: keyof CorpusFigures): ProductPromise => ({
  claim,
  bar: `>= ${bar}`,
  measure: async (): Promise<Outcome> => {
    const figures = await measureExpertAgreement();
    return figures === null ? notMeasured(NO_CORPUS) : atLeast(figures[figure], bar);
  },
});
