/** Which expected reply a typed sentence means, if any. */
import type { DialogueReply } from '@parley/domain';
import { comparableWords, isFunctionWord, isNegated, isSameWord } from '../words.ts';

export interface ReplyMatch {
  reply: DialogueReply;
  /** 0-1. */
  confidence: number;
}

const CONTENT_WEIGHT = 1;
const FUNCTION_WEIGHT = 0.25;
const MIN_CONFIDENCE = 0.55;
/** The best must stand out, or the coach would guess. */
const MIN_LEAD = 0.06;

/** Null when none fits well, or two fit about equally. A "not" too many or too few never fits. */
export function matchTypedReply(typed: { text: string; candidates: readonly DialogueReply[] }): ReplyMatch | null {
  const words = comparableWords(typed.text);
  const ranked = typed.candidates
    .map((reply) => ({ reply, confidence: similarity(words, comparableWords(reply.text)) }))
    .toSorted((a, b) => b.confidence - a.confidence);
  const [best, second] = ranked;
  if (best === undefined || best.confidence < MIN_CONFIDENCE) return null;
  return second !== undefined && best.confidence - second.confidence < MIN_LEAD ? null : best;
}

/** Weighted overlap (Dice), content words counting most; 0 where one says "not" and the other does not. */
function similarity(typed: readonly string[], expected: readonly string[]): number {
  if (typed.length === 0 || isNegated(typed) !== isNegated(expected)) return 0;
  const weight = (word: string): number => (isFunctionWord(word) ? FUNCTION_WEIGHT : CONTENT_WEIGHT);
  const left = [...typed];
  let shared = 0;
  for (const word of expected) {
    const at = left.findIndex((candidate) => isSameWord(candidate, word));
    if (at < 0) continue;
    left.splice(at, 1);
    shared += weight(word);
  }
  const total = (words: readonly string[]): number => words.reduce((sum, word) => sum + weight(word), 0);
  return (2 * shared) / (total(typed) + total(expected));
}
