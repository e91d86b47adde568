/** What a learner's turn means where the coach waits: the node's classifier, corrected by what is known for sure. */
import type { Dialogue, DialogueIntent, DialogueNode, SlotKind } from '@parley/domain';
import { trainActs } from './acts.ts';
import { featureReader } from './features.ts';
import { checkLanguage } from './language-check.ts';
import type { SharedActs } from './shared-acts.ts';
import { slotsIn } from './slots.ts';
import { clausesOf, readSpoken } from './spoken-text.ts';
import type { TalkOdds } from './work-talk.ts';
import { type NodeScores, trainNode } from './understand-node.ts';

export type Meaning =
  | { kind: 'intent'; intent: DialogueIntent; words: string; confidence: number }
  /** It fits, and no intent foresaw it. */
  | { kind: 'bridge'; words: string; confidence: number }
  /** Said back to the coach: an act that all practices share, or a question about a fact of the scene. */
  | { kind: 'asks'; act: string }
  | { kind: 'off' }
  /** No words, or none that are English. */
  | { kind: 'unheard'; isForeign: boolean };

export interface SceneReader {
  /** What it means at this node. */
  understand: (node: string, text: string) => Meaning;
  /** Whether a clause surely is this intent of a node that the coach has not come to yet. */
  anticipate: (node: string, text: string) => { intent: DialogueIntent; words: string } | null;
  /** Trains what `understand` will need at a node; about half a second of one core. */
  prepare: (node: string) => void;
}

const THRESHOLD = {
  asks: 0.5,
  off: 0.5,
  /** Above this an intent is taken, and below it only where nothing unforeseen is likelier. */
  intent: 0.4,
  /** A clause of a long turn is believed when it is this clear. */
  clause: 0.7,
  /** For what the coach has not asked yet. */
  anticipated: 0.75,
};
/** A value that the node expects speaks for an answer, and a question where the author expects statements speaks against one. */
const BOOST = { expectedSlot: 2.5, question: 3, expectedQuestion: 0.5, open: 2 };
const ELSEWHERE_FITS = 0.6;
/** How likely acts and strange talk are beside what the training examples say: chosen by cross-validation on the authors' own examples. */
const PRIOR = { asks: 1.2, off: 0.7 };
/** How far all scenes together may overrule one node. */
const TALK = { strength: 0.6, mostOdds: 4 };

const talkFactor = (logOdds: number): number =>
  Math.exp(-TALK.strength * Math.max(-TALK.mostOdds, Math.min(TALK.mostOdds, logOdds)));

export function createSceneReader(
  dialogue: Dialogue,
  shared: SharedActs,
  workTalk: (text: string) => TalkOdds,
): SceneReader {
  const features = featureReader(dialogue.topic ?? []);
  const nodes = new Map(dialogue.nodes.map((node) => [node.key, node]));
  const models = new Map<string, (text: string) => NodeScores>();
  const vocabulary = vocabularyOf(dialogue);
  let acts: ((text: string) => string) | null = null;

  const modelOf = (node: DialogueNode): ((text: string) => NodeScores) => {
    const known = models.get(node.key);
    if (known !== undefined) return known;
    const trained = trainNode(dialogue, node, { shared, features });
    models.set(node.key, trained);
    return trained;
  };
  const actOf = (text: string): string => {
    acts ??= trainActs(dialogue, { shared, features });
    return acts(text);
  };

  function weigh(node: DialogueNode, text: string): Weighed {
    const scores = modelOf(node)(text);
    const odds = workTalk(text);
    return corrected(node, text, scores, { off: talkFactor(odds.overOff), asks: talkFactor(odds.overAsks) });
  }

  return {
    prepare: (key) => {
      const node = nodes.get(key);
      if (node?.understanding !== undefined) modelOf(node);
    },
    understand: (key, text) => {
      const node = nodes.get(key);
      if (text.trim() === '' || node === undefined) return { kind: 'unheard', isForeign: false };
      const isName = node.understanding?.slots.includes('name') === true;
      const { isEnglish } = checkLanguage(text, (word) => vocabulary.has(word));
      if (!isEnglish && !isName) return { kind: 'unheard', isForeign: true };
      const whole = weigh(node, text);
      const best = clearest(whole, text, node, weigh);
      return decide(best, () => actOf(best.words));
    },
    anticipate: (key, text) => {
      const node = nodes.get(key);
      if (node?.understanding === undefined) return null;
      for (const words of [text, ...clausesOf(text)]) {
        const { intents } = weigh(node, words);
        const [top] = intents;
        const foreseen = intents.reduce((sum, { probability }) => sum + probability, 0);
        if (top !== undefined && foreseen > THRESHOLD.anticipated && top.probability > foreseen / 2)
          return { intent: top.intent, words };
      }
      return null;
    },
  };
}

interface Weighed {
  /** Likeliest first. */
  intents: { intent: DialogueIntent; probability: number }[];
  unforeseen: number;
  /** All that is an answer, 0-1. */
  fits: number;
  asks: number;
  off: number;
}

function corrected(
  node: DialogueNode,
  text: string,
  scores: NodeScores,
  factors: { off: number; asks: number },
): Weighed {
  const { intents = [], slots = [], isOpen = false } = node.understanding ?? {};
  const said = readSpoken(text);
  const found = new Set<SlotKind>(slotsIn(said.plain));
  const hasExpected = slots.some((slot) => found.has(slot));
  const isQuestion = said.question === 'wh' || said.question === 'auxiliary';
  const expectsQuestions = intents.some(
    ({ examples }) => examples.filter((one) => one.includes('?')).length > examples.length / 4,
  );
  const answerFactor =
    (hasExpected ? BOOST.expectedSlot : 1) * (isOpen && /\b(?:i|my|we|our)\b/.test(said.plain) ? BOOST.open : 1);
  const asksFactor = isQuestion ? (expectsQuestions ? BOOST.expectedQuestion : BOOST.question) : 1;
  const weights = {
    intents: [...scores.intents].map(([key, probability]) => ({ key, weight: probability * answerFactor })),
    unforeseen: scores.unforeseen * answerFactor,
    elsewhere: scores.elsewhere * ELSEWHERE_FITS * answerFactor,
    asks: scores.asks * asksFactor * factors.asks * PRIOR.asks,
    off: scores.off * factors.off * PRIOR.off + scores.elsewhere * (1 - ELSEWHERE_FITS) * 0.5,
  };
  const answers = weights.intents.reduce((sum, { weight }) => sum + weight, 0) + weights.unforeseen + weights.elsewhere;
  const total = answers + weights.asks + weights.off;
  const byKey = new Map(intents.map((intent) => [intent.key, intent]));
  return {
    intents: weights.intents
      .flatMap(({ key, weight }) => {
        const intent = byKey.get(key);
        return intent === undefined ? [] : [{ intent, probability: weight / total }];
      })
      .toSorted((a, b) => b.probability - a.probability),
    unforeseen: (weights.unforeseen + weights.elsewhere) / total,
    fits: answers / total,
    asks: weights.asks / total,
    off: weights.off / total,
  };
}

/** Of a long turn whose meaning is unclear, the clearest part speaks for the whole. */
function clearest(
  whole: Weighed,
  text: string,
  node: DialogueNode,
  weigh: (node: DialogueNode, text: string) => Weighed,
): Weighed & { words: string } {
  const clarity = ({ intents }: Weighed): number => intents[0]?.probability ?? 0;
  let best = { ...whole, words: text };
  if (clarity(whole) >= THRESHOLD.clause) return best;
  for (const words of clausesOf(text)) {
    const part = weigh(node, words);
    if (clarity(part) >= THRESHOLD.clause && clarity(part) > clarity(best)) best = { ...part, words };
  }
  return best;
}

function decide(best: Weighed & { words: string }, actOf: () => string): Meaning {
  const { intents, unforeseen, fits, asks, off, words } = best;
  const [top] = intents;
  if (fits < THRESHOLD.off && asks >= off) return { kind: 'asks', act: actOf() };
  if (fits < THRESHOLD.off) return { kind: 'off' };
  if (top !== undefined && (top.probability > THRESHOLD.intent || top.probability > unforeseen))
    return { kind: 'intent', intent: top.intent, words, confidence: top.probability };
  return { kind: 'bridge', words, confidence: fits };
}

function vocabularyOf({ nodes, topic = [] }: Dialogue): ReadonlySet<string> {
  const texts = nodes.flatMap(({ say, understanding }) => [
    ...Object.values(say),
    ...(understanding?.intents.flatMap(({ examples }) => examples) ?? []),
    ...(understanding?.unforeseen ?? []),
  ]);
  return new Set([...topic, ...texts.flatMap((text) => readSpoken(text).words)]);
}
