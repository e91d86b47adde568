/** Finds the expected reply that a typed sentence means, if any. */
import type { DialogueReply } from '@parley/domain';
import { comparableWords, isFunctionWord, isNegated, isSameWord } from '../text/comparable-words.ts';

export interface ReplyMatch {
  reply: DialogueReply;
  /** 0-1. */
  confidence: number;
}

const CONTENT_WEIGHT = 1;
const FUNCTION_WEIGHT = 0.25;
const MIN_CONFIDENCE = 0.55;
/** Two close candidates are treated as no match, because the coach would be guessing. */
const MIN_MARGIN = 0.06;

/** Returns null when no reply matches well or two match about equally. A sentence never matches one with the opposite negation. */
export function matchTypedReply(typed: { text: string; candidates: readonly DialogueReply[] }): ReplyMatch | null {
  const words = comparableWords(typed.text);
  const ranked = typed.candidates
    .map((reply) => ({ reply, confidence: similarity(words, comparableWords(reply.text)) }))
    .toSorted((a, b) => b.confidence - a.confidence);
  const [best, second] = ranked;
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return null;
  return second !== undefined && best.confidence - second.confidence < MIN_MARGIN ? null : best;
}

/** Weighted overlap (Dice coefficient) in which content words count most; 0 when only one side is negated. */
function similarity(typed: readonly string[], expected: readonly string[]): number {
  if (typed.length === 0 || isNegated(typed) !== isNegated(expected)) return 0;
  const weight = (word: string): number => (isFunctionWord(word) ? FUNCTION_WEIGHT : CONTENT_WEIGHT);
  const unmatched = [...typed];
  let shared = 0;
  for (const word of expected) {
    const position = unmatched.findIndex((candidate) => isSameWord(candidate, word));
    if (position < 0) continue;
    unmatched.splice(position, 1);
    shared += weight(word);
  }
  const total = (words: readonly string[]): number => words.reduce((sum, word) => sum + weight(word), 0);
  return (2 * shared) / (total(typed) + total(expected));
}
