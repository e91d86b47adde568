/**
 * Collects what speaks for an answer, for a remark to the coach and for off-topic talk at a node, as numbers. Their weights are fitted by
 * `scripts/train-coach.ts` on sentences that the classifiers did not see in training.
 */
import type { DialogueIntent, DialogueNode, SlotKind } from '@parley/domain';
import type { Comparer, FeatureReader, Features } from '../classification/features.ts';
import { findSlots } from '../rules/values/slots.ts';
import { parseSpoken } from '../rules/spoken-text.ts';
import { TALK_KINDS, type TalkKind, type TalkProbabilities } from '../classification/talk-model.ts';
import type { NodeScores } from '../classification/understand-node.ts';

/** The texts that the learner's turn is compared with. */
export interface Surroundings {
  /** The node's own examples. */
  answers: readonly Features[];
  asks: readonly Features[];
  off: readonly Features[];
  /** Words of the coach's line. */
  lineWords: ReadonlySet<string>;
  /** Whether learners are expected to ask something here. */
  expectsQuestions: boolean;
  /** Whether a word occurs in the scene. */
  isKnownHere: (word: string) => boolean;
}

/** The length of a text is left out: authors write short examples, and learners long answers. */
export const EVIDENCE_NAMES = [
  'always',
  'node answer',
  'node asks',
  'node off',
  'node elsewhere',
  'node unforeseen',
  'talk answer',
  'talk asks',
  'talk off',
  'like answers',
  'like asks',
  'like off',
  'like the nearest answer',
  'like the nearest ask',
  'sounds like asking, without a question',
  'question',
  'question mark',
  'question where questions are expected',
  'expected value',
  'first person at an open node',
  'known words',
  'words of the line',
  'words of the line in a question',
] as const;

/** One row of weights for each kind of talk, in the order of `EVIDENCE_NAMES`. */
export type EvidenceWeights = Readonly<Record<TalkKind, readonly number[]>>;

const log = (probability: number): number => Math.log(probability + 1e-3);

export function collectEvidence(
  node: DialogueNode,
  text: string,
  given: {
    scores: NodeScores;
    talk: TalkProbabilities;
    features: FeatureReader;
    compare: Comparer;
    around: Surroundings;
  },
): number[] {
  const { scores, talk, features, compare, around } = given;
  const { slots = [], isOpen = false } = node.understanding ?? {};
  const { plain, words, question } = parseSpoken(text);
  const found = new Set<SlotKind>(findSlots(plain));
  const foreseen = [...scores.intents.values()].reduce((sum, probability) => sum + probability, 0);
  const isQuestion = question === 'wh' || question === 'auxiliary';
  const isFirstPerson = /\b(?:i|my|we|our)\b/.test(plain);
  const said = features(text);
  const toAnswers = nearestOf(compare(said, around.answers));
  const toAsks = nearestOf(compare(said, around.asks));
  const toOff = nearestOf(compare(said, around.off));
  const echoed = words.filter((word) => around.lineWords.has(word)).length / Math.max(1, words.length);
  const known = words.filter((word) => around.isKnownHere(word)).length;
  return [
    1,
    log(foreseen + scores.unforeseen),
    log(scores.asks),
    log(scores.off),
    scores.elsewhere,
    scores.unforeseen,
    log(talk.answer),
    log(talk.asks),
    log(talk.off),
    mean(toAnswers),
    mean(toAsks),
    mean(toOff),
    toAnswers.at(-1) ?? 0,
    toAsks.at(-1) ?? 0,
    question === 'none' ? log(talk.asks) : 0,
    isQuestion ? 1 : 0,
    question === 'mark' ? 1 : 0,
    isQuestion && around.expectsQuestions ? 1 : 0,
    slots.some((slot) => found.has(slot)) ? 1 : 0,
    isFirstPerson && isOpen ? 1 : 0,
    known / Math.max(1, words.length),
    echoed,
    question === 'none' ? 0 : echoed,
  ];
}

const NEAREST = 3;
/** In ascending order. Sorting all of them, which may be a thousand, would take longer than comparing the texts. */
function nearestOf(all: Float32Array): number[] {
  const nearest: number[] = [];
  for (const similarity of all) {
    if (nearest.length === NEAREST && similarity <= (nearest[0] ?? 0)) continue;
    nearest.push(similarity);
    nearest.sort((a, b) => a - b);
    if (nearest.length > NEAREST) nearest.shift();
  }
  return nearest;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export function weighEvidence(evidence: readonly number[], weights: EvidenceWeights): TalkProbabilities {
  const scores = TALK_KINDS.map((kind) =>
    evidence.reduce((sum, value, at) => sum + value * (weights[kind][at] ?? 0), 0),
  );
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const [answer = 0, asks = 0, off = 0] = powers.map((power) => power / total);
  return { answer, asks, off };
}

export interface WeighedMeanings {
  /** Most likely first. */
  intents: { intent: DialogueIntent; probability: number }[];
  /** The probability that the node's classifier gives to all intents together. */
  foreseen: number;
  unforeseen: number;
  /** The part of `unforeseen` that belongs to no other node. */
  belongsHere: number;
  /** The total probability of an answer, 0-1. */
  fits: number;
  asks: number;
  off: number;
}

/** An answer that belongs to another node may fit here as an unforeseen one. */
const ELSEWHERE_SHARE = 0.6;

/** The evidence says how likely an answer is, and the node's classifier which one. */
export function combine(
  node: DialogueNode,
  scores: NodeScores,
  { answer, asks, off }: TalkProbabilities,
): WeighedMeanings {
  const foreseen = [...scores.intents.values()].reduce((sum, probability) => sum + probability, 0);
  const rest = scores.unforeseen + scores.elsewhere * ELSEWHERE_SHARE;
  const scale = answer / Math.max(1e-6, foreseen + rest);
  const byKey = new Map(node.understanding?.intents.map((intent) => [intent.key, intent]));
  return {
    intents: [...scores.intents]
      .flatMap(([key, probability]) => {
        const intent = byKey.get(key);
        return intent === undefined ? [] : [{ intent, probability: probability * scale }];
      })
      .toSorted((a, b) => b.probability - a.probability),
    foreseen,
    unforeseen: rest * scale,
    belongsHere: scores.unforeseen * scale,
    fits: answer,
    asks,
    off,
  };
}

/** Takes the greater probability of each objective. */
export const mergeProofs = (
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): Map<string, number> =>
  new Map([...one, ...other].map(([key]) => [key, Math.max(one.get(key) ?? 0, other.get(key) ?? 0)]));
