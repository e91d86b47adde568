/** Softmax regression over sparse features, trained with AdaGrad. The same examples give the same model. */
import type { Features } from './features.ts';

export interface Example {
  features: Features;
  label: string;
  /** 1 when left out. */
  weight?: number;
}

export interface Classifier {
  labels: readonly string[];
  /** Probabilities in the order of `labels`; they sum to 1. */
  classify: (features: Features) => Float64Array;
}

const EPOCHS = 14;
const RATE = 0.2;
const L2 = 1e-4;
const FIRST_SQUARE = 1e-3;

interface Packed {
  places: Int32Array;
  values: Float32Array;
  label: number;
  scale: number;
}

export function trainClassifier(examples: readonly Example[]): Classifier {
  const labels = [...new Set(examples.map(({ label }) => label))];
  const count = labels.length;
  const placeByFeature = new Map<string, number>();
  for (const { features } of examples)
    for (const name of features.keys())
      if (!placeByFeature.has(name)) placeByFeature.set(name, placeByFeature.size * count);
  const packed = pack(examples, labels, placeByFeature);
  const weights = new Float32Array(placeByFeature.size * count);
  const squares = new Float32Array(weights.length).fill(FIRST_SQUARE);
  const bias = new Float64Array(count);
  const biasSquares = new Float64Array(count).fill(FIRST_SQUARE);
  const scores = new Float64Array(count);
  const random = sequence();

  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(packed, random);
    for (const { places, values, label, scale } of packed) {
      scores.set(bias);
      addScores(scores, weights, places, values);
      softmax(scores);
      for (let c = 0; c < count; c += 1) {
        const error = ((scores[c] ?? 0) - (c === label ? 1 : 0)) * scale;
        scores[c] = error;
        biasSquares[c] = (biasSquares[c] ?? 0) + error * error;
        bias[c] = (bias[c] ?? 0) - (RATE * error) / Math.sqrt(biasSquares[c] ?? 1);
      }
      for (let k = 0; k < places.length; k += 1) {
        const place = places[k] ?? 0;
        const value = values[k] ?? 0;
        for (let c = 0; c < count; c += 1) {
          const at = place + c;
          const weight = weights[at] ?? 0;
          const gradient = (scores[c] ?? 0) * value + L2 * weight;
          const square = (squares[at] ?? 0) + gradient * gradient;
          squares[at] = square;
          weights[at] = weight - (RATE * gradient) / Math.sqrt(square);
        }
      }
    }
  }

  return {
    labels,
    classify: (features) => {
      const result = Float64Array.from(bias);
      for (const [name, value] of features) {
        const place = placeByFeature.get(name);
        if (place === undefined) continue;
        for (let c = 0; c < count; c += 1) result[c] = (result[c] ?? 0) + (weights[place + c] ?? 0) * value;
      }
      softmax(result);
      return result;
    },
  };
}

/** Classes weigh by the root of their rarity. */
function pack(
  examples: readonly Example[],
  labels: readonly string[],
  placeByFeature: ReadonlyMap<string, number>,
): Packed[] {
  const mass = new Map<string, number>();
  for (const { label, weight = 1 } of examples) mass.set(label, (mass.get(label) ?? 0) + weight);
  const even = examples.reduce((sum, { weight = 1 }) => sum + weight, 0) / labels.length;
  return examples.map(({ features, label, weight = 1 }) => ({
    places: Int32Array.from([...features.keys()], (name) => placeByFeature.get(name) ?? 0),
    values: Float32Array.from(features.values()),
    label: labels.indexOf(label),
    scale: weight * Math.sqrt(even / (mass.get(label) ?? even)),
  }));
}

function addScores(scores: Float64Array, weights: Float32Array, places: Int32Array, values: Float32Array): void {
  for (let k = 0; k < places.length; k += 1)
    for (let c = 0; c < scores.length; c += 1)
      scores[c] = (scores[c] ?? 0) + (weights[(places[k] ?? 0) + c] ?? 0) * (values[k] ?? 0);
}

function softmax(scores: Float64Array): void {
  const top = Math.max(...scores);
  let sum = 0;
  for (let c = 0; c < scores.length; c += 1) {
    scores[c] = Math.exp((scores[c] ?? 0) - top);
    sum += scores[c] ?? 0;
  }
  for (let c = 0; c < scores.length; c += 1) scores[c] = (scores[c] ?? 0) / sum;
}

/** Park and Miller's minimal standard generator: 0 to 1. */
function sequence(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

function shuffle(items: Packed[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const item = items[at] as Packed;
    items[at] = items[other] as Packed;
    items[other] = item;
  }
}
