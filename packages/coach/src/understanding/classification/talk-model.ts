/**
 * Classifies what a sentence sounds like in any scene: an answer, a remark to the coach, or off-topic talk. Its weights
 * are trained on all scenes by `scripts/train-coach.ts` and ship with the app.
 */
import { FEATURE_PLACES, type Features } from './features.ts';
import { type Classifier, classify, trainClassifier } from './softmax.ts';
import type { Training } from './training.ts';

export const TALK_KINDS = ['answer', 'asks', 'off'] as const;
export type TalkKind = (typeof TALK_KINDS)[number];
export type TalkProbabilities = Record<TalkKind, number>;

/** Weights as signed bytes in base64, one per kind and place. */
export interface TalkWeights {
  bias: readonly number[];
  /** The scale of the quantised weights: weight = byte x unit. */
  unit: number;
  weights: string;
}

export type TalkModel = (features: Features) => TalkProbabilities;

const EPOCHS = 8;
/** The weight of remarks and of off-topic talk, as a share of the answers' weight. */
const SHARE = { answer: 1, asks: 0.5, off: 0.5 };

export function* trainTalkModel(
  examples: Readonly<Record<TalkKind, readonly Features[]>>,
  epochs = EPOCHS,
): Training<Classifier> {
  function* weighted() {
    for (const label of TALK_KINDS) {
      const weight = (SHARE[label] * examples.answer.length) / examples[label].length;
      for (const features of examples[label]) yield { features, label, weight };
    }
  }
  return yield* trainClassifier(weighted(), { epochs });
}

export function packTalkWeights({ bias, firstWeightByPlace, weights }: Classifier): TalkWeights {
  const unit = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = new Int8Array(FEATURE_PLACES * bias.length);
  firstWeightByPlace.forEach((start, place) => {
    if (start === -1) return;
    for (let c = 0; c < bias.length; c += 1)
      bytes[place * bias.length + c] = Math.round((weights[start + c] ?? 0) / unit);
  });
  return {
    bias: [...bias].map((value) => Number(value.toFixed(4))),
    unit,
    weights: Buffer.from(bytes).toString('base64'),
  };
}

export function unpackTalkWeights({ bias, unit, weights }: TalkWeights): Classifier {
  const bytes = Int8Array.from(Buffer.from(weights, 'base64'));
  return {
    labels: TALK_KINDS,
    bias: Float64Array.from(bias),
    firstWeightByPlace: Int32Array.from({ length: FEATURE_PLACES }, (_, place) => place * bias.length),
    weights: Float32Array.from(bytes, (byte) => byte * unit),
  };
}

export function talkModelOf(classifier: Classifier): TalkModel {
  const places = TALK_KINDS.map((kind) => classifier.labels.indexOf(kind));
  return (features) => {
    const probabilities = classify(classifier, features);
    const [answer = 0, asks = 0, off = 0] = places.map((place) => probabilities[place] ?? 0);
    return { answer, asks, off };
  };
}
