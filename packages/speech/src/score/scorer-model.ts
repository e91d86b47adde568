/** The tree ensembles that turn features into the experts' scores, and into what was said instead. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
export type ScorerModel = Record<ScorerTarget, TreeEnsemble>;

export async function loadScorerModel(modelDir: string): Promise<ScorerModel> {
  const read = async (target: ScorerTarget) =>
    [target, readTrees(await readFile(join(modelDir, `${target}.trees`)))] as const;
  return Object.fromEntries(await Promise.all(SCORER_TARGETS.map(read))) as ScorerModel;
}
