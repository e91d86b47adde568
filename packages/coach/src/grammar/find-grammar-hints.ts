/** Finds frequent mistakes in what a learner said, without a language model. */
import { type Correction, type GrammarRule, type LearnerTurn, storeFeedbackPoint } from '@parley/domain';
import { GRAMMAR_PATTERNS } from './grammar-rules.ts';

export interface GrammarHint {
  rule: GrammarRule;
  /** The learner's words, and a better wording of them. */
  said: string;
  better: string;
}

/** Matches the words of another person, or words that the learner asks about: 'What does "he don't" mean?' */
const QUOTED = /"[^"]*"|“[^”]*”/g;

/** Returns hints in the order of the text, without those about words that a recogniser may have misheard. */
export function findGrammarHints(text: string, { isSpoken }: { isSpoken: boolean }): GrammarHint[] {
  const ownWords = text.replace(QUOTED, (quoted) => '"'.repeat(quoted.length));
  const places = GRAMMAR_PATTERNS.filter(({ isAudible }) => isAudible || !isSpoken).flatMap(
    ({ rule, pattern, better }) => {
      const found = pattern.exec(ownWords);
      if (found === null) return [];
      const said = found[0].trim();
      return [{ at: found.index, rule, said, better: withCaseOf(said, better(found).trim()) }];
    },
  );
  return places.toSorted((a, b) => a.at - b.at).map(({ rule, said, better }) => ({ rule, said, better }));
}

const withCaseOf = (said: string, better: string): string =>
  /^\p{Lu}/u.test(said) ? better.charAt(0).toUpperCase() + better.slice(1) : better;

const MAX_HINTS = 5;

/** One hint of each kind. The explanation is stored as a code, so that each reader gets it in their own language. */
export function grammarCorrections(turns: readonly Pick<LearnerTurn, 'text' | 'mode'>[]): Correction[] {
  const hintsByRule = new Map<GrammarRule, GrammarHint>();
  for (const hint of turns.flatMap(({ text, mode }) => findGrammarHints(text, { isSpoken: mode !== 'typed' })))
    if (!hintsByRule.has(hint.rule)) hintsByRule.set(hint.rule, hint);
  return [...hintsByRule.values()]
    .slice(0, MAX_HINTS)
    .map(({ rule, said, better }) => ({ said, better, why: storeFeedbackPoint({ code: 'grammar', rule }) }));
}
