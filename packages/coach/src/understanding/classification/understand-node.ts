/**
 * Trains a classifier for one node of a dialogue, on the learner's own computer and from the author's examples. It distinguishes the node's
 * intents, unforeseen answers, answers that belong to another node, remarks to the coach, and off-topic talk.
 */
import type { Dialogue, DialogueNode } from '@parley/domain';
import type { FeatureReader } from './features.ts';
import { type Classifier, classify, type Example, trainClassifier } from './softmax.ts';
import { askableWords, fillWords, hasWordPlaceholder, type SharedActs } from './shared-acts.ts';
import type { Training } from './training.ts';

/** Probabilities that sum to 1. */
export interface NodeScores {
  intents: ReadonlyMap<string, number>;
  unforeseen: number;
  elsewhere: number;
  asks: number;
  off: number;
}

/** The total weight of each group of examples from outside this node, in units of one intent example. */
const GROUP_WEIGHT = { elsewhere: 25, asks: 30, words: 10, off: 20 };
/** This many examples of each group are enough here, because the model of all scenes has seen the others. */
const GROUP_SIZE = { elsewhere: 90, asks: 120, words: 90, off: 120 };
const WEIGHT = { fact: 0.6, decoy: 1, unforeseen: 3 };
const EPOCHS = 9;
/** Two nodes share an answer, rather than a phrase such as "Yes, please.", if its intents have more than this share of examples in common. */
const SAME_ANSWER = 0.5;

const isSameAnswer = (texts: readonly string[], known: ReadonlySet<string>): boolean =>
  texts.filter((text) => known.has(text)).length > texts.length * SAME_ANSWER;

export function* trainNodeClassifier(
  dialogue: Dialogue,
  node: DialogueNode,
  { shared, features }: { shared: SharedActs; features: FeatureReader },
): Training<(text: string) => NodeScores> {
  const { understanding } = node;
  const others = dialogue.nodes.filter(({ key }) => key !== node.key);
  function* group(label: string, texts: readonly string[], weight = 1): Generator<Example> {
    for (const text of texts) yield { features: features(text), label, weight };
  }
  const own = new Set(understanding?.intents.flatMap(({ examples: texts }) => texts));
  // An answer that fits at several nodes is no evidence against itself.
  const sameAnswers = new Set(
    others
      .flatMap((other) => other.understanding?.intents ?? [])
      .filter(({ examples: texts }) => isSameAnswer(texts, own))
      .flatMap(({ examples: texts }) => texts.filter((text) => own.has(text))),
  );
  const answersElsewhere: string[] = [];
  for (const { examples: texts } of others.flatMap((other) => other.understanding?.intents ?? [])) {
    const isRepeated = isSameAnswer(texts, new Set(answersElsewhere));
    answersElsewhere.push(...(isRepeated ? [] : texts));
  }
  const sampled = (label: string, kind: keyof typeof GROUP_SIZE, texts: readonly string[]): Generator<Example> => {
    const sample = sampleEvenly(texts, GROUP_SIZE[kind]);
    const foreign = sample.filter((text) => label !== 'elsewhere' || !sameAnswers.has(text));
    return group(label, foreign, GROUP_WEIGHT[kind] / Math.max(1, sample.length));
  };
  function* examples(): Generator<Example> {
    for (const { key, examples: texts } of understanding?.intents ?? []) yield* group(`intent:${key}`, texts);
    yield* group('unforeseen', understanding?.unforeseen ?? [], WEIGHT.unforeseen);
    yield* group('off', understanding?.decoys ?? [], WEIGHT.decoy);
    // Where the coach has invited a question, a question is an answer.
    for (const { asks } of dialogue.facts ?? [])
      yield* group(
        'asks',
        asks.filter((text) => !own.has(text)),
        WEIGHT.fact,
      );
    yield* sampled('elsewhere', 'elsewhere', answersElsewhere);
    const asks = Object.values(shared.asks).flatMap(({ examples: texts }) => texts);
    const aboutWords = fillWords(asks.filter(hasWordPlaceholder), askableWords(node));
    yield* sampled('asks', 'words', aboutWords);
    yield* sampled(
      'asks',
      'asks',
      asks.filter((text) => !hasWordPlaceholder(text)),
    );
    yield* sampled('off', 'off', fillWords(shared.off, askableWords(node)));
  }
  const classifier = yield* trainClassifier(examples(), { epochs: EPOCHS });
  return (text) => scoreText(classifier, text, features);
}

/** At most `size` texts, evenly spread. */
const sampleEvenly = (texts: readonly string[], size: number): readonly string[] =>
  texts.length <= size
    ? texts
    : Array.from({ length: size }, (_, at) => texts[Math.floor((at * texts.length) / size)] ?? '');

function scoreText(classifier: Classifier, text: string, features: FeatureReader): NodeScores {
  const probabilities = classify(classifier, features(text));
  const intents = new Map<string, number>();
  const rest = { unforeseen: 0, elsewhere: 0, asks: 0, off: 0 };
  classifier.labels.forEach((label, index) => {
    const probability = probabilities[index] ?? 0;
    if (label.startsWith('intent:')) intents.set(label.slice('intent:'.length), probability);
    else rest[label as keyof typeof rest] = probability;
  });
  return { intents, ...rest };
}
