/** The models that predict the experts' scores, and that tell confusable phones apart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRASTS_FILE, type ContrastModel, loadContrastModel } from '../contrast/contrast-model.ts';
import { SEQUENCE_FILE } from './model-dir.ts';
import { loadSequenceModel, type SequenceModel } from './sequence-model.ts';
import { readTrees, type TreeEnsemble } from './trees.ts';

export const SCORER_TARGETS = [
  'phone',
  'exchange',
  'word-accuracy',
  'sentence-accuracy',
  'sentence-fluency',
  'sentence-prosody',
] as const;
export type ScorerTarget = (typeof SCORER_TARGETS)[number];
export interface ScorerModel {
  trees: Record<ScorerTarget, TreeEnsemble>;
  sequence: SequenceModel;
  contrasts: ContrastModel;
}

export async function loadScorerModel(modelDir: string, options: { threads: number }): Promise<ScorerModel> {
  const read = async (target: ScorerTarget) =>
    [target, readTrees(await readFile(join(modelDir, `${target}.trees`)))] as const;
  const [trees, sequence, contrasts] = await Promise.all([
    Promise.all(SCORER_TARGETS.map(read)),
    loadSequenceModel(join(modelDir, SEQUENCE_FILE), options),
    loadContrastModel(join(modelDir, CONTRASTS_FILE)),
  ]);
  return { trees: Object.fromEntries(trees) as ScorerModel['trees'], sequence, contrasts };
}
