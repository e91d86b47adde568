/** Recognises that a learner says a name. */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { parseSpoken } from './spoken-text.ts';

/** "My name's" is read as "my name s". */
const OWN_NAME = /\b(?:my (?:\w+ )?name (?:is|s)|(?:under|in|on) the name(?: of)?|the name (?:is|s))\s+\w/;

export const saysOwnName = (text: string): boolean => OWN_NAME.test(parseSpoken(text).plain);

/** Names occur in some examples of other answers as well. */
const MIN_NAMED_SHARE = 0.1;

/** The intent with which a learner says a name at this node; null where the coach asks for other things. */
export function findNameIntent({ understanding }: DialogueNode): DialogueIntent | null {
  const intents = understanding?.slots.includes('name') === true ? understanding.intents : [];
  const [best] = intents
    .map((intent) => ({ intent, share: intent.examples.filter(saysOwnName).length / intent.examples.length }))
    .filter(({ share }) => share >= MIN_NAMED_SHARE)
    .toSorted((a, b) => b.share - a.share);
  return best?.intent ?? null;
}
