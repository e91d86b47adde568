/** Answers a structured request by the name of its schema, and says where the answer comes from. */
import { findCorrections } from './corrections.ts';
import { matchObjectives } from './match-objectives.ts';
import type { PromptFacts } from './prompt-facts.ts';

const MAX_QUOTED_CHARACTERS = 120;
const MIN_SENTENCE_WORDS = 4;

/** Returns null for an unknown name. */
export function structuredAnswer(
  formatName: string | null,
  facts: PromptFacts,
): Readonly<Record<string, unknown>> | null {
  switch (formatName) {
    case 'verdict':
      return { proofs: facts.learnerTurns.flatMap((said) => matchObjectives(said, facts.objectives)) };
    case 'replies':
      return { replies: HINTS };
    case 'translation':
      return {
        translation: `The fake coach cannot translate into ${facts.language ?? 'this'}: “${facts.coachText ?? ''}”`,
      };
    case 'review':
      return defaultReview(facts);
    default:
      return null;
  }
}

const HINTS = [
  { keywords: 'a little more', sentence: 'Could you tell me a little more about it, please?' },
  { keywords: 'not sure, because', sentence: 'I am not sure yet, because I need some more time.' },
  { keywords: 'from the fake', sentence: 'The fake coach wrote these hints, and a real coach would know the scene.' },
];

function defaultReview({ learnerTurns, title }: PromptFacts) {
  const corrections = findCorrections(learnerTurns);
  const byLength = learnerTurns.filter((text) => text !== '').toSorted((one, other) => other.length - one.length);
  const [longest = ''] = byLength;
  const shortest = byLength.at(-1) ?? '';
  const isFragment = shortest.split(/\s+/).length < MIN_SENTENCE_WORDS;
  const [first] = corrections;
  return {
    best: `Your longest answer was “${shorten(longest)}”, and it carried the conversation on.`,
    fix:
      first === undefined
        ? 'The fake coach wrote this review: it found none of the few mistakes that it knows.'
        : `The fake coach wrote this review: of the few mistakes that it knows, it found “${first.said}”.`,
    nextStep: isFragment
      ? `Next time, say a whole sentence in place of “${shortest}”.`
      : 'Next time, give a reason with “because” in one more answer.',
    summary: `You spoke ${pluralize(learnerTurns.length, 'time')}${title === null ? '' : ` in “${title}”`}. The fake coach wrote this, with no model behind it.`,
    corrections,
    remember: learnerFacts(learnerTurns),
    languageQuality: Math.max(30, 70 - 5 * corrections.length),
  };
}

const shorten = (text: string): string =>
  text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS).replace(/\s+\S*$/, '')} …`;
const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Matches "I work as a nurse" and where the learner lives. */
const FACT = /\bI (work|live) ((?:as|in|at|for|with|near) [\p{L}' -]{3,60}?)(?=[.,;:!?]|$| (?:and|but|because|so)\b)/u;

const learnerFacts = (said: readonly string[]): string[] =>
  said.flatMap((text) => {
    const [, verb, rest = ''] = FACT.exec(text) ?? [];
    return verb === undefined || /\b(?:I|me|my|we|our)\b/.test(rest) ? [] : [`The learner ${verb}s ${rest}.`];
  });
