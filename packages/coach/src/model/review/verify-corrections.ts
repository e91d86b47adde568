/** Filters a model's corrections: each must quote the learner exactly, propose a real change, and contain nothing else. */
import type { Correction } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';
import { type FindQuoteInTexts, sliceQuote } from '../../text/find-quote.ts';
import { leaksPrompt } from '../safety/prompt-leak-detector.ts';
import { addressesModel } from '../safety/injection-patterns.ts';
import { containsContactDetails, containsLink } from '../safety/private-data.ts';
import { stripMarkdown } from '../safety/normalise-text.ts';

const MAX_CORRECTIONS = 8;
const MAX_CHARS = 400;
/** A correction may be a little longer than the original, but a whole paragraph is not a correction. */
const MAX_EXTRA_WORDS = 8;

/** Keeps the order of the proposals and drops repeated mistakes. */
export function verifiedCorrections(proposed: readonly Correction[], findQuote: FindQuoteInTexts): Correction[] {
  const correctionsByQuote = new Map<string, Correction>();
  for (const correction of proposed) {
    if (correctionsByQuote.size === MAX_CORRECTIONS) break;
    const found = findQuote(correction.said);
    if (found === null) continue;
    const said = sliceQuote(found.text, found.span, MAX_CHARS);
    const [better, why] = [stripMarkdown(correction.better), stripMarkdown(correction.why)];
    const key = comparableWords(said).join(' ');
    if (!correctionsByQuote.has(key) && isRealCorrection(said, better) && isSafeToShow(better) && isSafeToShow(why))
      correctionsByQuote.set(key, { said, better, why });
  }
  return [...correctionsByQuote.values()];
}

/** Case and punctuation cannot be mistakes in speech. */
function isRealCorrection(said: string, better: string): boolean {
  const [before, after] = [comparableWords(said), comparableWords(better)];
  return (
    after.length > 0 && after.join(' ') !== before.join(' ') && after.length <= 2 * before.length + MAX_EXTRA_WORDS
  );
}

/** Sentences of a review use this check as well. */
export const isSafeToShow = (text: string): boolean =>
  text.trim() !== '' &&
  text.length <= MAX_CHARS &&
  !/[<>]/.test(text) &&
  !containsContactDetails(text) &&
  !containsLink(text) &&
  !addressesModel(text) &&
  !leaksPrompt(text);
