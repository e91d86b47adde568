/** Recognises replies of a few words that only agree, refuse, hesitate or decline to answer, such as "Definitely not" or "Maybe". */
import type { DialogueIntent, DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';
import { agreesWith, offersTheFloor } from './elliptic-reply.ts';

const STANCES = ['yes', 'no', 'unsure', 'declined'] as const;
export type Stance = (typeof STANCES)[number];

/** Words with which a learner hesitates or declines to answer, and which may mean more beside other words. */
const RESERVED: ReadonlySet<string> = new Set(
  'rather prefer say tell talk answer want depends depend might hard difficult decided possible comment certain quite keep myself private personal'.split(
    ' ',
  ),
);

/** The act of a learner who hesitates. */
export const UNSURE = 'unsure';

const DECLINED =
  /\b(?:(?:rather|prefer) not|(?:do|would) not (?:really )?want to (?:say|tell|talk|answer)|prefer to (?:not|keep)|no comment|(?:is|too) (?:private|personal))\b/;
const HESITATED =
  /\b(?:maybe|perhaps|possibly|(?:could|may) be|depends?|might|not (?:\w+ )?(?:sure|certain|decided)|(?:do|really) not (?:\w+ )?know|no (?:idea|clue)|(?:hard|difficult|not possible|not) to say|can not (?:\w+ )?say|probably(?! not))\b/;

const POLITE =
  'oh|ah|well|hm|um|but|please|sorry|i am sorry|i am afraid|actually|unfortunately|thanks|thank you|very much|so much|a lot';
const YES =
  'yes|yeah|yep|yup|mm hmm?|mhm|uh huh|by all means|i would say so|sure|surely|of course|certainly|absolutely|definitely|exactly|indeed|why not|i (?:think|guess|suppose|hope) so|okay|all right';
const WITH_YES =
  '(?:i|we) (?:do|am|are|will|can|would)|it is|(?:that is )?(?:fine|great|good|perfect|right)|(?:no|not a) problem|with pleasure';
const NO =
  'no|nope|nah|no way|not really|(?:(?:really|definitely|absolutely|certainly|of course|probably|surely) )+not|not (?:now|at the moment|right now|for now|today)|i do not think so|i think not|i am afraid not|unfortunately not';
const WITH_NO = '(?:i|we) (?:do|am|are|will|can|would) not|it is not';

/** A longer text says more, and there would be too many ways to split it into these phrases. */
const MAX_STANCE_WORDS = 20;
const onlyOf = (...phrases: readonly string[]): RegExp => new RegExp(`^(?:(?:${phrases.join('|')})(?: |$))+$`);
const AGREED = { has: new RegExp(`\\b(?:${YES})\\b`), hasOnly: onlyOf(YES, WITH_YES, POLITE) };
const REFUSED = { has: new RegExp(`\\b(?:${NO})\\b`), hasOnly: onlyOf(NO, WITH_NO, POLITE) };

const SKIPPED =
  /^(?:(?:please|sorry|okay|well|no|hm|maybe|just|can we|could we|can i|could i|can you|could you|let us|i want to|i would like to|i would rather) )*(?:skip(?: (?:this|that|it|the|one|question))*|pass|(?:the )?next question|ask (?:me )?(?:something else|another question|the next question)|(?:talk|speak) about (?:something|anything|(?:an)?other things?)(?: else)?|(?:change|switch) (?:the )?(?:topic|subject)|another (?:topic|subject|question))(?: please| now| for now)*$/;

/** "Can we skip this?" refuses nothing that the coach has asked for. */
export const wantsToSkip = (text: string): boolean => SKIPPED.test(comparableWords(text).join(' '));

/** Null for a turn that says anything else as well. */
export function stanceOf(text: string): Stance | null {
  const words = comparableWords(text);
  const plain = words.join(' ');
  if (words.length === 0 || words.length > MAX_STANCE_WORDS || text.includes('?')) return null;
  if (REFUSED.hasOnly.test(plain) && REFUSED.has.test(plain)) return 'no';
  if (AGREED.hasOnly.test(plain) && AGREED.has.test(plain)) return 'yes';
  if (!agreesWith(words, RESERVED)) return null;
  return DECLINED.test(plain) ? 'declined' : HESITATED.test(plain) ? 'unsure' : null;
}

const ACCEPTING =
  '(?:that |it |this )?(?:works|suits me)(?: fine| well| perfectly)?(?: for me| for us)?|(?:(?:that|it) is )?(?:fine|okay|all right|good|great) (?:with|by|for) (?:me|us)|(?:(?:that|it) is )?(?:no|not a) problem(?: at all)?|(?:(?:that|it) is )?a? ?(?:good|great) idea|(?:that|it) would be (?:great|nice|lovely|fine|perfect|good|wonderful)|let us do (?:that|it|this)|(?:i|we) (?:will|can|could) try(?: (?:it|that|to|(?:my|our) best))?|(?:i|we) would (?:love|like|be happy|be glad) to(?: do (?:that|it))?|(?:i|we) (?:can|will) do (?:that|it)|(?:(?:i|we) think )?(?:i|we) can|(?:i|we) do not mind(?: at all)?';
const REFUSING =
  '(?:i do not think )?(?:that|it|this) (?:does|will|would) not (?:work for (?:me|us)|suit me)|(?:i|we) (?:can|could) not(?: do (?:that|it))?|(?:i|we) do not think (?:i|we) can(?: do (?:that|it))?|(?:(?:that|it) is |this is )?(?:impossible|not possible)|(?:i|we) would rather not|(?:i|we) do not want (?:to|that|it)(?: do that)?';
const ACCEPTED = onlyOf(ACCEPTING, YES, WITH_YES, POLITE);
const TURNED_DOWN = onlyOf(REFUSING, NO, WITH_NO, POLITE);
const HAS_ACCEPTING = new RegExp(`\\b(?:${ACCEPTING})\\b`);
const HAS_REFUSING = new RegExp(`\\b(?:${REFUSING})\\b`);

/**
 * The meaning of a whole sentence such as "That works for me" where the coach has asked for a yes or a no. Elsewhere,
 * it may say more.
 */
export function stanceOfSentence(text: string): 'yes' | 'no' | null {
  const words = comparableWords(text);
  if (words.length === 0 || words.length > MAX_STANCE_WORDS || text.includes('?')) return null;
  const plain = words.join(' ');
  if (TURNED_DOWN.test(plain) && HAS_REFUSING.test(plain)) return 'no';
  return ACCEPTED.test(plain) && HAS_ACCEPTING.test(plain) ? 'yes' : null;
}

const WISHED_FIRST =
  /^(?:(?:oh|ah|well|hm|thanks|thank you|sorry|that (?:is|sounds) (?:\w+ )?(?:nice|kind|great|good|lovely)(?: of you)?) )*(?:i|we) (?:would (?:really |very much )?(?:love|like|be happy|be glad)|wish (?:i|we) could|really want)(?: to)?(?: (?:join|come|go|help|do (?:it|that))(?: with)?(?: you)?)? but (?=(?:unfortunately |sadly |today |tomorrow |at \w+ |on \w+day )?(?:i|we|my|our|there|it|somebody|someone|they|he|she)\b)/;

/**
 * The reason for declining that follows "I'd love to, but". Null if there is no reason, or if a question or a condition
 * follows.
 */
export function reasonToDecline(text: string): string | null {
  const plain = comparableWords(text).join(' ');
  const reason = plain.replace(WISHED_FIRST, '');
  return text.includes('?') || reason === plain || /\b(?:if|only|unless)\b/.test(reason) ? null : reason;
}

/** How many bare replies each intent of a node has among its examples. */
export type IntentsByStance = ReadonlyMap<Stance, ReadonlyMap<string, number>>;

export function findIntentsByStance({ understanding }: DialogueNode): IntentsByStance {
  const keys = new Map(STANCES.map((stance) => [stance, new Map<string, number>()]));
  for (const { key, examples } of understanding?.intents ?? [])
    for (const example of examples) {
      const stance = stanceOf(example);
      const counts = stance === null ? undefined : keys.get(stance);
      counts?.set(key, (counts.get(key) ?? 0) + 1);
    }
  return keys;
}

const LAST_QUESTION = /[^.!?]*\?(?=[^?]*$)/;
const YES_NO_QUESTION =
  /(?:^|, |\b(?:and|so|but|then|or) )(?:is|are|was|were|do|does|did|can|could|may|might|will|would|shall|should|have|has|must)(?:n't)? (?:i|we|you|he|she|it|they|that|this|there|the|your|my|our|any\w*)\b/;

/**
 * Whether "Yes." or "No." leaves the coach's question open at most levels, because it asks for more than that, or for a
 * choice.
 */
export function asksForMore(node: DialogueNode): boolean {
  if (offersTheFloor(node)) return true;
  const questions = Object.values(node.say).flatMap((line) => LAST_QUESTION.exec(line.toLowerCase()) ?? []);
  const open = questions.filter((question) => !YES_NO_QUESTION.test(question.trim()) || question.includes(' or '));
  return open.length > questions.length / 2;
}

const REQUEST =
  /\b(?:can|could|will|would) you (?!mind)|\b(?:can|could|may|shall|should) (?:i|we)\b|\b(?:is|would|will|does) (?:that|it|this) (?:be |sound )?(?:okay|ok|all right|alright|fine|possible|good|enough|better|reasonable|help)\b|\b(?:does|would|will) (?:that|it|this|\w+day) (?:work|suit)\b|\b(?:how|what) about\b/;

/** Whether the coach asks for something or proposes it at most levels, so that "I can" and "That works for me" answer as "Yes." does. */
export function makesRequest(node: DialogueNode): boolean {
  const questions = Object.values(node.say).flatMap((line) => LAST_QUESTION.exec(line.toLowerCase()) ?? []);
  return questions.filter((question) => REQUEST.test(question)).length > questions.length / 2;
}

export const asksSomething = ({ say }: DialogueNode): boolean => Object.values(say).some((line) => line.includes('?'));

/**
 * The intents that a bare reply may mean: those with the most such examples. Declining counts as refusing where the
 * coach asks for a yes or a no.
 */
export function intentsOf(stance: Stance, node: DialogueNode, intents: IntentsByStance): ReadonlySet<string> {
  const own = intents.get(stance) ?? new Map<string, number>();
  const counts = stance === 'declined' && own.size === 0 && !asksForMore(node) ? (intents.get('no') ?? own) : own;
  const most = Math.max(0, ...counts.values());
  return new Set([...counts].flatMap(([key, count]) => (count === most ? [key] : [])));
}

/**
 * Where the coach asks for more than yes or no, a few such examples are not enough for every bare reply to meet an
 * objective.
 */
const MIN_BARE_EXAMPLES = 3;
export const mayMeetObjectives = (
  stance: Stance,
  node: DialogueNode,
  { key }: DialogueIntent,
  intents: IntentsByStance,
): boolean => !asksForMore(node) || (intents.get(stance)?.get(key) ?? 0) >= MIN_BARE_EXAMPLES;

const HEDGE = '(?:maybe|perhaps|probably|possibly|i (?:think|guess|suppose|would say|am not sure))';
const IF_IT_SUITS =
  "if (?:possible|you can|that works|(?:that['’]?s|that is|it['’]?s|it is) (?:okay|ok|fine|all right|possible|convenient))(?: (?:with|for) you)?";
const AROUND_ANSWER = new RegExp(`^(?:${HEDGE},? )+|(?:,? (?:${HEDGE}|${IF_IT_SUITS}))+[.!]*$`, 'gi');

/** "Maybe 160, I guess" without the hesitation. */
export const withoutHedges = (text: string): string =>
  text
    .replaceAll(/\bI'?d\b/gi, 'I would')
    .replaceAll(AROUND_ANSWER, '')
    .trim();
