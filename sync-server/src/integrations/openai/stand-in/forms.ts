/** What is answered where a form is wanted, by its name: sensible, and open about where it comes from. */
import { correctionsIn } from './corrections.ts';
import { proofsIn } from './judge.ts';
import type { Told } from './told.ts';

const MOST_QUOTED_CHARS = 120;
const FEWER_IS_NO_SENTENCE = 4;

/** Null for a form that it does not know. */
export function filledForm(form: string | null, told: Told): Readonly<Record<string, unknown>> | null {
  switch (form) {
    case 'verdict':
      return { proofs: told.said.flatMap((said) => proofsIn(said, told.objectives)) };
    case 'replies':
      return { replies: HINTS };
    case 'translation':
      return { translation: `A stand-in cannot translate into ${told.language ?? 'this'}: “${told.coachSaid ?? ''}”` };
    case 'review':
      return reviewOf(told);
    default:
      return null;
  }
}

const HINTS = [
  { keywords: 'a little more', sentence: 'Could you tell me a little more about it, please?' },
  { keywords: 'not sure, because', sentence: 'I am not sure yet, because I need some more time.' },
  { keywords: 'from a stand-in', sentence: 'A stand-in wrote these hints, and a real coach would know the scene.' },
];

function reviewOf({ said, title }: Told) {
  const corrections = correctionsIn(said);
  const byLength = said.filter((text) => text !== '').toSorted((one, other) => other.length - one.length);
  const [longest = ''] = byLength;
  const shortest = byLength.at(-1) ?? '';
  const isWord = shortest.split(/\s+/).length < FEWER_IS_NO_SENTENCE;
  const [first] = corrections;
  return {
    best: `Your longest answer was “${cut(longest)}”, and it carried the conversation on.`,
    fix:
      first === undefined
        ? 'A stand-in wrote this review: it found none of the few mistakes that it knows.'
        : `A stand-in wrote this review: of the few mistakes that it knows, it found “${first.said}”.`,
    nextStep: isWord
      ? `Next time, say a whole sentence in place of “${shortest}”.`
      : 'Next time, give a reason with “because” in one more answer.',
    summary: `You spoke ${countOf(said.length, 'time')}${title === null ? '' : ` in “${title}”`}. A stand-in wrote this, with no model behind it.`,
    corrections,
    remember: factsIn(said),
    languageQuality: Math.max(30, 70 - 5 * corrections.length),
  };
}

const cut = (text: string): string =>
  text.length <= MOST_QUOTED_CHARS ? text : `${text.slice(0, MOST_QUOTED_CHARS).replace(/\s+\S*$/, '')} …`;
const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** "I work as a nurse", and where they live. */
const FACT = /\bI (work|live) ((?:as|in|at|for|with|near) [\p{L}' -]{3,60}?)(?=[.,;:!?]|$| (?:and|but|because|so)\b)/u;

const factsIn = (said: readonly string[]): string[] =>
  said.flatMap((text) => {
    const [, verb, rest = ''] = FACT.exec(text) ?? [];
    return verb === undefined || /\b(?:I|me|my|we|our)\b/.test(rest) ? [] : [`The learner ${verb}s ${rest}.`];
  });
