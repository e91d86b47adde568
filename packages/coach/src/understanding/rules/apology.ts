/** Recognises apologies that mean the same at any moment of a scene: "I'm really sorry about that", but not "Sorry?" or "Sorry, I didn't hear you". */
import { comparableWords } from '../../text/comparable-words.ts';
import { splitClauses } from './spoken-text.ts';

const VERY = '(?:(?:so|very|really|truly|terribly|extremely|deeply|sincerely|awfully) )+';
const FOR = '(?:(?:about|for) (?:that|this|it|(?:the|my|our|any) \\w+(?: \\w+)?))';
const APOLOGY = new RegExp(
  `^(?:(?:and|but|so|well|oh|please|again|first) )*(?:(?:i|we) (?:am|are) (?:${VERY}sorry(?: ${FOR})?|sorry ${FOR})|(?:i|we) (?:do |really |want to |would like to |must |have to )*(?:apologi[sz]e)(?: ${FOR})?|(?:please )?(?:accept (?:my|our) apologies|forgive (?:me|us)))(?: (?:it was|that was|it is) (?:my|our) (?:fault|mistake))?$`,
);

/** The clause with which a learner apologises; null when there is none. */
export const findApology = (text: string): string | null =>
  [text, ...splitClauses(text), ...text.split(/[,.!?;]\s+/)].find((clause) =>
    APOLOGY.test(comparableWords(clause).join(' ')),
  ) ?? null;

const KINDS = ['sorry', 'apologise', 'forgive', 'regret'];

/** Whether a pattern accepts every kind of apology, so that its objective can only be to apologise. */
export const acceptsApologies = (pattern: RegExp): boolean =>
  KINDS.every((word) => pattern.test(word)) && !pattern.test('I understand, we are late, and it is not possible.');
