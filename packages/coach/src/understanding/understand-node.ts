/**
 * What a turn means at one node of a dialogue: one of its intents, a fitting answer that was not foreseen, something that fits elsewhere in the
 * scene, something said back to the coach, or nothing that belongs here. Trained on the author's examples, on the learner's own computer.
 */
import type { Dialogue, DialogueNode } from '@parley/domain';
import type { FeatureReader } from './features.ts';
import { type Classifier, type Example, trainClassifier } from './softmax.ts';
import type { SharedActs } from './shared-acts.ts';

/** Probabilities; together they are 1. */
export interface NodeScores {
  intents: ReadonlyMap<string, number>;
  unforeseen: number;
  elsewhere: number;
  asks: number;
  off: number;
}

/** How much all examples of a kind weigh together that is not of this node's own intents, counted in examples of an intent. */
const MASS = { elsewhere: 25, asks: 40, off: 20 };
const WEIGHT = { fact: 0.6, decoy: 1, unforeseen: 3 };

export function trainNode(
  dialogue: Dialogue,
  node: DialogueNode,
  { shared, features }: { shared: SharedActs; features: FeatureReader },
): (text: string) => NodeScores {
  const { understanding } = node;
  const example =
    (label: string, weight = 1) =>
    (text: string): Example => ({ features: features(text), label, weight });
  const together = (label: string, mass: number, texts: readonly string[]): Example[] =>
    texts.map(example(label, mass / texts.length));
  const elsewhere = dialogue.nodes.filter(({ key }) => key !== node.key);
  const classifier = trainClassifier([
    ...(understanding?.intents ?? []).flatMap(({ key, examples }) => examples.map(example(`intent:${key}`))),
    ...(understanding?.unforeseen ?? []).map(example('unforeseen', WEIGHT.unforeseen)),
    ...(understanding?.decoys ?? []).map(example('off', WEIGHT.decoy)),
    ...together(
      'elsewhere',
      MASS.elsewhere,
      elsewhere.flatMap(
        (other) => other.understanding?.intents.flatMap(({ examples }) => examples.filter(isThird)) ?? [],
      ),
    ),
    ...together(
      'asks',
      MASS.asks,
      Object.values(shared.asks).flatMap(({ examples }) => examples),
    ),
    ...(dialogue.facts ?? []).flatMap(({ asks }) => asks.map(example('asks', WEIGHT.fact))),
    ...together('off', MASS.off, shared.off),
  ]);
  return (text) => scoresOf(classifier, text, features);
}

/** Of what is said at other nodes a part is enough. */
const isThird = (_: string, index: number): boolean => index % 3 === 0;

function scoresOf({ labels, classify }: Classifier, text: string, features: FeatureReader): NodeScores {
  const probabilities = classify(features(text));
  const intents = new Map<string, number>();
  const rest = { unforeseen: 0, elsewhere: 0, asks: 0, off: 0 };
  labels.forEach((label, index) => {
    const probability = probabilities[index] ?? 0;
    if (label.startsWith('intent:')) intents.set(label.slice('intent:'.length), probability);
    else rest[label as keyof typeof rest] = probability;
  });
  return { intents, ...rest };
}
