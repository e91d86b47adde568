/** Divides the authors' examples into folds, so that a model can be tested on examples that it has not seen. */
import type { Dialogue } from '@parley/domain';
import type { SharedActs } from '../../packages/coach/src/understanding/classification/shared-acts.ts';

export const FOLDS = 3;

export type Keep = <Item>(items: readonly Item[]) => Item[];
export const keepAll: Keep = (items) => [...items];
export const without =
  (fold: number): Keep =>
  (items) =>
    items.filter((_, index) => index % FOLDS !== fold);
export const only =
  (fold: number): Keep =>
  (items) =>
    items.filter((_, index) => index % FOLDS === fold);

export const keepShared = ({ asks, off }: SharedActs, keep: Keep): SharedActs => ({
  asks: Object.fromEntries(
    Object.entries(asks).map(([act, { replies, examples }]) => [act, { replies, examples: keep(examples) }]),
  ),
  off: keep(off),
});

export const keepExamples = (dialogue: Dialogue, keep: Keep): Dialogue => ({
  ...dialogue,
  facts: dialogue.facts?.map((fact) => ({ ...fact, asks: keep(fact.asks) })),
  nodes: dialogue.nodes.map(({ understanding, ...node }) => ({
    ...node,
    ...(understanding !== undefined && {
      understanding: {
        ...understanding,
        unforeseen: keep(understanding.unforeseen),
        decoys: keep(understanding.decoys),
        intents: understanding.intents.map((intent) => ({ ...intent, examples: keep(intent.examples) })),
      },
    }),
  })),
});
