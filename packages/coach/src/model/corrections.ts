/** Corrections that a learner can trust: of something that they did say, to something that is another, and nothing else between the lines. */
import type { Correction, Turn } from '@parley/domain';
import { comparableWords } from '../words.ts';
import { findQuote, quoteAt } from '../find-quote.ts';
import { leaksInstructions } from './leak-watch.ts';
import { addressesMachine } from './orders.ts';
import { holdsPrivateData } from './private-data.ts';
import { plainSentence } from './visible-text.ts';

const MAX_CORRECTIONS = 8;
const MAX_CHARS = 400;
/** What is put right grows a little; a paragraph in its place is no correction. */
const MORE_WORDS = 8;

/** In the order in which they came, each mistake once. */
export function trustedCorrections(proposed: readonly Correction[], turns: readonly Turn[]): Correction[] {
  const learnerTexts = turns.flatMap((turn) => (turn.role === 'learner' ? [turn.text] : []));
  const bySaid = new Map<string, Correction>();
  for (const correction of proposed) {
    const said = quoteOf(correction.said, learnerTexts);
    if (said === null) continue;
    const [better, why] = [plainSentence(correction.better), plainSentence(correction.why)];
    const key = comparableWords(said).join(' ');
    if (!bySaid.has(key) && corrects(said, better) && isShowable(better) && isShowable(why))
      bySaid.set(key, { said, better, why });
  }
  return [...bySaid.values()].slice(0, MAX_CORRECTIONS);
}

function quoteOf(quoted: string, texts: readonly string[]): string | null {
  for (const text of texts) {
    const span = findQuote(text, quoted);
    if (span !== null) return quoteAt(text, span, MAX_CHARS);
  }
  return null;
}

/** Case and punctuation are nobody's mistake in a conversation. */
function corrects(said: string, better: string): boolean {
  const [before, after] = [comparableWords(said), comparableWords(better)];
  return after.length > 0 && after.join(' ') !== before.join(' ') && after.length <= 2 * before.length + MORE_WORDS;
}

/** Also for the sentences of a review. */
export const isShowable = (text: string): boolean =>
  text.trim() !== '' &&
  text.length <= MAX_CHARS &&
  !/[<>]/.test(text) &&
  !holdsPrivateData(text) &&
  !addressesMachine(text) &&
  !leaksInstructions(text);
