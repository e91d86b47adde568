/** What turns features into the experts' scores, and into what was said instead. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SEQUENCE_FILE } from './model-dir.ts';
import { loadSequenceModel, type SequenceModel } from './sequence-model.ts';
import { readTrees, type TreeEnsemble } from './trees.ts';

/** `exchanged` is the probability that another sound was said than the one that was asked for; the others are scores. */
export const SCORER_TARGETS = [
  'phone',
  'exchanged',
  'word-accuracy',
  'sentence-accuracy',
  'sentence-fluency',
  'sentence-prosody',
] as const;
export type ScorerTarget = (typeof SCORER_TARGETS)[number];
export interface ScorerModel {
  trees: Record<ScorerTarget, TreeEnsemble>;
  sequence: SequenceModel;
}

export async function loadScorerModel(modelDir: string, options: { threads: number }): Promise<ScorerModel> {
  const read = async (target: ScorerTarget) =>
    [target, readTrees(await readFile(join(modelDir, `${target}.trees`)))] as const;
  const [trees, sequence] = await Promise.all([
    Promise.all(SCORER_TARGETS.map(read)),
    loadSequenceModel(join(modelDir, SEQUENCE_FILE), options),
  ]);
  return { trees: Object.fromEntries(trees) as ScorerModel['trees'], sequence };
}
