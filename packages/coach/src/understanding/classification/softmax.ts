/** Softmax regression over sparse features, trained with AdaGrad. Training is deterministic. */
import { FEATURE_PLACES, type Features } from './features.ts';
import type { Training } from './training.ts';

export interface Example {
  features: Features;
  label: string;
  /** The default is 1. */
  weight?: number;
}

export interface Classifier {
  labels: readonly string[];
  bias: Float64Array;
  /** The weights of each known place, by label; -1 for a place that no example had. */
  firstWeightByPlace: Int32Array;
  weights: Float32Array;
}

const DEFAULT_EPOCHS = 14;
const RATE = 0.2;
const L2 = 1e-4;
const FIRST_SQUARE = 1e-3;

interface Packed {
  starts: Int32Array;
  values: Float32Array;
  label: number;
  scale: number;
}

/** The number of examples per step. */
const EXAMPLES_A_STEP = 10;

/** Also reads the features of the examples step by step, because that takes much of the time. */
export function* trainClassifier(
  examples: readonly Example[] | Iterable<Example>,
  { epochs = DEFAULT_EPOCHS }: { epochs?: number } = {},
): Training<Classifier> {
  const all: Example[] = [];
  for (const example of examples) {
    all.push(example);
    if (all.length % EXAMPLES_A_STEP === 0) yield;
  }
  const labels = [...new Set(all.map(({ label }) => label))];
  const count = labels.length;
  const scaleOf = balance(all, labels);
  const firstWeightByPlace = new Int32Array(FEATURE_PLACES).fill(-1);
  let size = 0;
  const packed = all.map(({ features, label, weight = 1 }): Packed => {
    const starts = new Int32Array(features.places.length);
    features.places.forEach((place, k) => {
      if (firstWeightByPlace[place] === -1) {
        firstWeightByPlace[place] = size;
        size += count;
      }
      starts[k] = firstWeightByPlace[place] ?? 0;
    });
    return { starts, values: features.values, label: labels.indexOf(label), scale: weight * scaleOf(label) };
  });
  const weights = new Float32Array(size);
  const squares = new Float32Array(size).fill(FIRST_SQUARE);
  const bias = new Float64Array(count);
  const biasSquares = new Float64Array(count).fill(FIRST_SQUARE);
  const random = createRandom();
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(packed, random);
    for (const [index, example] of packed.entries()) {
      if (index % EXAMPLES_A_STEP === 0) yield;
      learn({ weights, squares, bias, biasSquares }, example);
    }
  }
  return { labels, bias, firstWeightByPlace, weights };
}

interface State {
  weights: Float32Array;
  squares: Float32Array;
  bias: Float64Array;
  biasSquares: Float64Array;
}

function learn({ weights, squares, bias, biasSquares }: State, { starts, values, label, scale }: Packed): void {
  const count = bias.length;
  const scores = Float64Array.from(bias);
  for (let k = 0; k < starts.length; k += 1) {
    const start = starts[k] as number;
    const value = values[k] as number;
    for (let c = 0; c < count; c += 1) scores[c] = (scores[c] as number) + (weights[start + c] as number) * value;
  }
  softmax(scores);
  for (let c = 0; c < count; c += 1) {
    const error = ((scores[c] as number) - (c === label ? 1 : 0)) * scale;
    scores[c] = error;
    biasSquares[c] = (biasSquares[c] as number) + error * error;
    bias[c] = (bias[c] as number) - (RATE * error) / Math.sqrt(biasSquares[c] as number);
  }
  for (let k = 0; k < starts.length; k += 1) {
    const start = starts[k] as number;
    const value = values[k] as number;
    for (let c = 0; c < count; c += 1) {
      const at = start + c;
      const weight = weights[at] as number;
      const gradient = (scores[c] as number) * value + L2 * weight;
      const square = (squares[at] as number) + gradient * gradient;
      squares[at] = square;
      weights[at] = weight - (RATE * gradient) / Math.sqrt(square);
    }
  }
}

/** Probabilities in the order of the labels, summing to 1. */
export function classify(classifier: Classifier, { places, values }: Features): Float64Array {
  const { bias, firstWeightByPlace, weights } = classifier;
  const result = Float64Array.from(bias);
  for (let k = 0; k < places.length; k += 1) {
    const start = firstWeightByPlace[places[k] ?? 0] ?? -1;
    if (start === -1) continue;
    for (let c = 0; c < result.length; c += 1)
      result[c] = (result[c] ?? 0) + (weights[start + c] ?? 0) * (values[k] ?? 0);
  }
  softmax(result);
  return result;
}

/** Classes are weighted by the square root of their inverse frequency. */
function balance(examples: readonly Example[], labels: readonly string[]): (label: string) => number {
  const weightByLabel = new Map<string, number>();
  for (const { label, weight = 1 } of examples) weightByLabel.set(label, (weightByLabel.get(label) ?? 0) + weight);
  const evenShare = examples.reduce((sum, { weight = 1 }) => sum + weight, 0) / labels.length;
  return (label) => Math.sqrt(evenShare / (weightByLabel.get(label) ?? evenShare));
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

/** Park and Miller's minimal standard generator, 0 to 1. */
function createRandom(): () => number {
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
