/** What a rule about a frequent mistake consists of, and the parts that several rules share. */
import type { GrammarRule } from '@parley/domain';

export interface GrammarPattern {
  rule: GrammarRule;
  pattern: RegExp;
  better: (found: readonly string[]) => string;
  /** Whether a recogniser writes it only if it was said, whereas endings such as -s and -ed are easily misheard. */
  isAudible: boolean;
}

/** In "the rooms you want have a balcony" the verb belongs to another subject, so "I want have" needs a start of its own. */
export const CLAUSE_OR_QUESTION = String.raw`(?<=^|[.!?,;:…]\s+|\b(?:and|but|because|so|think|know|hope|sorry|if|when|do|did|don't|don’t|didn't|didn’t|yes|no|well|actually|please|hello|hi|morning|today)\s+)`;
export const MANY = 'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';

export const rule = (
  code: GrammarRule,
  pattern: string,
  better: (found: readonly string[]) => string,
  { isAudible = true } = {},
): GrammarPattern => ({ rule: code, pattern: new RegExp(pattern, 'i'), better, isAudible });

/** The found text with one part replaced. */
export const replacing =
  (part: RegExp, by: string) =>
  ([all = '']: readonly string[]): string =>
    all.replace(part, by);

/** Holds for the words of these rules; "hour" and "university" are not among them. */
export const articleFor = (word: string): string => (/^[aeio]/i.test(word) ? 'an' : 'a');
