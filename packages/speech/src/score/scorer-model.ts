/** The seven tree ensembles that turn features into the experts' scores. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTrees, type TreeEnsemble } from './trees.ts';

export const SCORER_TARGETS = [
  'phone',
  'word-accuracy',
  'sentence-accuracy',
  'sentence-fluency',
  'sentence-prosody',
] as const;
export type ScorerTarget = (typeof SCORER_TARGETS)[number];
export type ScorerModel = Record<ScorerTarget, TreeEnsemble>;

export async function loadScorerModel(modelDir: string): Promise<ScorerModel> {
  const read = async (target: ScorerTarget): Promise<TreeEnsemble> =>
    readTrees(await readFile(join(modelDir, `${target}.trees`)));
  const [phone, word, accuracy, fluency, prosody] = await Promise.all(SCORER_TARGETS.map(read));
  if (!phone || !word || !accuracy || !fluency || !prosody) throw new Error(`the scorer in ${modelDir} is incomplete`);
  return {
    phone,
    'word-accuracy': word,
    'sentence-accuracy': accuracy,
    'sentence-fluency': fluency,
    'sentence-prosody': prosody,
  };
}
