/**
 * Rewrites requests and offers in the form of questions, such as "Can you give me access, please?" and "Come ten
 * minutes before?", which resemble questions to the coach.
 */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';

const ASKED_FOR =
  /^\W*(?:(?:sorry|please|yes|well|so|hello|hi|maybe|okay)\b[\s,.!]*)*(?:can|could|would|will|may)\s+(?:(?:you|somebody|someone|anybody|anyone)\s+(?:please\s+)?(?:give|get|lend|bring|send|find)\s+(?:me|us)|(?:i|we)\s+(?:please\s+)?(?:have|get))\s+(.+)$/i;
/** With these, the learner asks for help with the practice. */
const OF_LANGUAGE =
  /\b(?:examples?|hints?|tips?|clues?|words?|sentences?|phrases?|answers?|ideas?|explanations?|definitions?|translations?|suggestions?|questions?|help|meaning|that|it|this|again|(?:a|one|some|more) (?:moment|minute|second|time))\b/;

/** "I need access, please." Null for any other turn. */
export function asStatedRequest(text: string): string | null {
  const [, wanted = ''] = ASKED_FOR.exec(text.trim()) ?? [];
  const plain = comparableWords(wanted).join(' ');
  return plain === '' || OF_LANGUAGE.test(plain) ? null : `I need ${wanted.replace(/\?$/, '')}.`;
}

const HASTY_OFFER =
  /^\W*(?:(?:and|so|then|or|maybe|perhaps)\s+)*((?:come|start|begin|meet|call|send|take|leave|stay|go|wait|try|move|change|ask|pay|write|bring|keep|use|finish|work|swap)\s+.+)\?\s*$/i;

/** "Come ten minutes before?" offers what "I could come ten minutes before" does. Null for any other turn. */
export function asOffer(text: string): string | null {
  const [, offered] = HASTY_OFFER.exec(text) ?? [];
  return offered === undefined || OF_LANGUAGE.test(comparableWords(offered).join(' ')) ? null : `I could ${offered}.`;
}

const OFFER =
  /^(?:(?:and|so|then|or|maybe|perhaps|yes|okay|well) )*(?:(?:i|we) (?:can|could|will|would|might|may)|let us) /;
/** The share of offers among an intent's examples from which learners are expected to offer something. */
const OFFERS = 0.1;

/** Whether an author expects offers in this intent, rather than a value such as a time. */
export const expectsOffers = ({ examples }: DialogueIntent): boolean =>
  examples.filter((example) => OFFER.test(comparableWords(example).join(' '))).length > examples.length * OFFERS;

const REQUEST = /^(?:(?:and|so|please|yes|well|maybe) )*(?:can|could|would|will|may) /;
const asks = (example: string): boolean => REQUEST.test(comparableWords(example).join(' '));
/** The share of requests among a node's examples from which learners are expected to ask for anything. */
const REQUESTS = 0.2;

/** Whether an author expects requests: in this intent, or at the whole node when it is null. */
export function expectsRequests({ understanding }: DialogueNode, intent: DialogueIntent | null): boolean {
  if (intent !== null) return intent.examples.some(asks);
  const examples = understanding?.intents.flatMap((each) => each.examples) ?? [];
  return examples.filter(asks).length > examples.length * REQUESTS;
}
