/** The possible meanings of a turn, and the choice of the likeliest. */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { mergeProofs, type WeighedMeanings } from './evidence.ts';
import { isAboutScene } from './look-around.ts';

export type Meaning =
  /** `proves` has the probability of each objective: several intents may prove the same one. */
  | { kind: 'intent'; intent: DialogueIntent; words: string; proves: ReadonlyMap<string, number> }
  /**
   * On topic, but no intent matches. `confidence` is the probability that it belongs to this node. `act` is the question about the scene that
   * the learner has asked where the coach invites questions.
   */
  | { kind: 'bridge'; words: string; confidence: number; proves: ReadonlyMap<string, number>; act: string | null }
  /** Directed at the coach: an act that all practices share, or a question about a fact of the scene. */
  | { kind: 'asks'; act: string }
  /** The learner would rather not answer. */
  | { kind: 'declined' }
  | { kind: 'off' }
  /** No words, or no English words. */
  | { kind: 'unheard'; isForeign: boolean };

export interface Anticipated {
  intent: DialogueIntent;
  words: string;
  /** 0-1. */
  confidence: number;
}

const THRESHOLD = {
  /** A turn is an answer when this is at least its probability. */
  fits: 0.5,
  /** An intent above this is accepted. A less likely one is accepted only when it is more likely than an unforeseen answer. */
  intent: 0.4,
};

export const meaningOfIntent = (intent: DialogueIntent, words: string): Meaning => ({
  kind: 'intent',
  intent,
  words,
  proves: new Map(intent.proves.map((objective) => [objective, 1])),
});

type IntentMeaning = Extract<Meaning, { kind: 'intent' }>;

/** Adds what another reading of the same words proves, if both readings find the same intent. */
export const withProofsOf = (meaning: IntentMeaning, other: Meaning): IntentMeaning =>
  other.kind === 'intent' && other.intent.key === meaning.intent.key
    ? { ...meaning, proves: mergeProofs(meaning.proves, other.proves) }
    : meaning;

export function decideMeaning(
  best: WeighedMeanings & { words: string; proves: ReadonlyMap<string, number> },
  invitesQuestions: boolean,
  actOf: () => string,
): Meaning {
  const { intents, unforeseen, belongsHere, fits, asks, off, words, proves } = best;
  const [top] = intents;
  if (fits < THRESHOLD.fits && asks >= off) {
    const act = actOf();
    return invitesQuestions && isAboutScene(act)
      ? { kind: 'bridge', words, confidence: belongsHere, proves, act }
      : { kind: 'asks', act };
  }
  if (fits < THRESHOLD.fits) return { kind: 'off' };
  if (top !== undefined && (top.probability > THRESHOLD.intent || top.probability > unforeseen))
    return { kind: 'intent', intent: top.intent, words, proves };
  return { kind: 'bridge', words, confidence: belongsHere, proves, act: null };
}

/** An answer such as "I don't know" or "Nothing" tells nothing, unless no answer at the node proves or tells more. */
export function isInformative({ understanding }: DialogueNode, intent: DialogueIntent): boolean {
  const intents = understanding?.intents ?? [];
  if (intents.some(({ proves }) => proves.length > 0)) return intent.proves.length > 0;
  return intent.tells.length > 0 || !intents.some(({ tells }) => tells.length > 0);
}

/**
 * Whether this answer tells the fact that the node asks for, or meets the objective of those that do. "It comes on Tuesday" meets another
 * objective in answer to "Why is it late?", and does not say why.
 */
export function tellsFact({ understanding, learns }: DialogueNode, intent: DialogueIntent): boolean {
  const telling = understanding?.intents.filter(({ tells }) => learns !== undefined && tells.includes(learns)) ?? [];
  const [main] = telling[0]?.proves ?? [];
  return telling.length === 0 || telling.includes(intent) || (main !== undefined && intent.proves.includes(main));
}
