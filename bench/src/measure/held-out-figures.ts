/** Agreement with the experts on the corpus' validation speakers; measured once a run. */
import { type CorpusFigures, evaluateCorpus } from '@parley/speech/evaluate';
import { corpusDir, hasProgram } from '@parley/test-kit';

let figures: Promise<CorpusFigures> | null = null;

/** Null without the corpus. */
export async function heldOutFigures(): Promise<CorpusFigures | null> {
  const dir = corpusDir();
  if (dir === null || !hasProgram('opusdec')) return null;
  figures ??= evaluateCorpus({ corpusDir: dir, split: 'validation' });
  return figures;
}
