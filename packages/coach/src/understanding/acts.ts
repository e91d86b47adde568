/** Which act a turn is that is said back to the coach: one that all practices share, or a question about a fact of this scene. */
import type { Dialogue } from '@parley/domain';
import type { FeatureReader } from './features.ts';
import type { SharedActs } from './shared-acts.ts';
import { trainClassifier } from './softmax.ts';

const FACT = 'fact:';

export const factAsked = (act: string): string | null => (act.startsWith(FACT) ? act.slice(FACT.length) : null);

/** The act of a turn that is known to be one. */
export function trainActs(
  dialogue: Dialogue,
  { shared, features }: { shared: SharedActs; features: FeatureReader },
): (text: string) => string {
  const ofActs = Object.entries(shared.asks).flatMap(([label, { examples }]) =>
    examples.map((text) => ({ features: features(text), label })),
  );
  const ofFacts = (dialogue.facts ?? []).flatMap(({ key, asks }) =>
    asks.map((text) => ({ features: features(text), label: FACT + key, weight: 2 })),
  );
  const { labels, classify } = trainClassifier([...ofActs, ...ofFacts]);
  return (text) => {
    const probabilities = classify(features(text));
    return labels[probabilities.indexOf(Math.max(...probabilities))] ?? 'repeat';
  };
}
