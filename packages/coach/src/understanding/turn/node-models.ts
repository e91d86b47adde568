/** The classifiers of a scene's nodes, which are trained when they are first needed, and how they weigh a text. */
import type { Dialogue, DialogueNode } from '@parley/domain';
import {
  type BaseReader,
  createComparer,
  createFeatureReader,
  type FeatureReader,
  withoutTopic,
} from '../classification/features.ts';
import type { SharedActs } from '../classification/shared-acts.ts';
import type { SharedModels } from '../classification/shared-models.ts';
import { readTalkFeatures } from '../classification/talk-features.ts';
import { type Trainable, trainable } from '../classification/training.ts';
import { type NodeScores, trainNodeClassifier } from '../classification/understand-node.ts';
import { collectEvidence, combine, weighEvidence, type WeighedMeanings } from './evidence.ts';
import { type Around, lookAround } from './look-around.ts';

const MAX_REMEMBERED = 2_000;

interface NodeModel {
  scores: Trainable<(text: string) => NodeScores>;
  around: Trainable<Around>;
}

export interface NodeModels {
  features: FeatureReader;
  aroundOf: (node: DialogueNode) => Around;
  /** The evidence that `weigh` combines, for training. */
  evidenceAt: (node: DialogueNode, text: string) => number[];
  weigh: (node: DialogueNode, text: string) => WeighedMeanings;
  trainablesOf: (node: DialogueNode) => Trainable<unknown>[];
}

export function createNodeModels(
  dialogue: Dialogue,
  given: { shared: SharedActs; vocabulary: ReadonlySet<string>; readBase: BaseReader; loadModels: () => SharedModels },
): NodeModels {
  const { shared, vocabulary, readBase, loadModels } = given;
  const features = createFeatureReader(dialogue.topic ?? [], readBase);
  const compare = createComparer();
  const models = new Map<string, NodeModel>();

  const modelOf = (node: DialogueNode): NodeModel => {
    const known = models.get(node.key);
    if (known !== undefined) return known;
    const model: NodeModel = {
      scores: trainable(() => trainNodeClassifier(dialogue, node, { shared, features })),
      around: trainable(() => lookAround(dialogue, node, { shared, read: features, vocabulary })),
    };
    models.set(node.key, model);
    return model;
  };

  const aroundOf = (node: DialogueNode): Around => modelOf(node).around.get();

  const collect = (node: DialogueNode, text: string, scores: NodeScores): number[] =>
    collectEvidence(node, text, {
      scores,
      talk: loadModels().talk(readTalkFeatures(text, aroundOf(node).lineStems, withoutTopic(features(text)))),
      features,
      compare,
      around: aroundOf(node),
    });

  const weighed = new Map<string, WeighedMeanings>();
  /** Remembers recent results, because a session's earlier turns are read again with each new one. */
  function weigh(node: DialogueNode, text: string): WeighedMeanings {
    const key = `${node.key} ${text}`;
    const meanings = weighed.get(key) ?? weighNew(node, text);
    if (weighed.size >= MAX_REMEMBERED) weighed.clear();
    weighed.set(key, meanings);
    return meanings;
  }

  function weighNew(node: DialogueNode, text: string): WeighedMeanings {
    const scores = modelOf(node).scores.get()(text);
    return combine(node, scores, weighEvidence(collect(node, text, scores), loadModels().evidence));
  }

  return {
    features,
    aroundOf,
    evidenceAt: (node, text) => collect(node, text, modelOf(node).scores.get()(text)),
    weigh,
    trainablesOf: (node) => [modelOf(node).scores, modelOf(node).around],
  };
}
