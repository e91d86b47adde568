/** Measures agreement with the experts by cross-validation over all speakers of the corpus, once per process. */
import { type CorpusFigures, evaluateCorpus, FOLDS_DIR } from '@parley/speech/evaluate';
import { corpusDir, hasProgram } from '@parley/test-kit';

let figures: Promise<CorpusFigures> | null = null;

/** Returns null without the corpus. */
export async function measureExpertAgreement(): Promise<CorpusFigures | null> {
  const dir = corpusDir();
  if (dir === null || !hasProgram('opusdec')) return null;
  figures ??= evaluateCorpus({ corpusDir: dir, foldsDir: FOLDS_DIR });
  return figures;
}
