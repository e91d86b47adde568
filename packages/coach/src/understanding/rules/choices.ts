/** Finds which of the coach's alternatives a learner chooses by its place: "the second one", "the latter", or "Not Wednesday". */
import type { DialogueNode } from '@parley/domain';
import { comparableWords } from '../../text/comparable-words.ts';

const LEAD =
  '(?:(?:oh|well|hm|okay|yes|then|please|rather|better|probably|maybe|perhaps|i (?:think|guess)|i (?:would )?(?:like|prefer|take|choose|say|want|go for)|i would rather(?: have| take)?|i will (?:take|have|choose)|let us (?:take|do|say)|(?:it|that) is) )*';
const THING = '(?: (?:one|option|day|date|time|idea|thing|choice|possibility|offer))?';
const TAIL =
  '(?: (?:please|then|thanks|thank you|for me|works|is (?:better|fine|good|best|okay|perfect|right)|would be (?:better|fine|good|best|great|perfect)|suits me))*';
const CHOSEN = new RegExp(`^${LEAD}(?:the )?(first|former|second|latter|third|last)${THING}${TAIL}$`);
const REJECTED = /^(?:(?:no|sorry|well|oh|but|please) )*not (?:on |at |in )?(.+?)(?: (?:please|sorry|thanks))*$/;
const MAX_REJECTED_WORDS = 3;

const PLACES: Readonly<Record<string, number>> = { first: 0, former: 0, second: 1, latter: -1, third: 2, last: -1 };
/** What may precede the first alternative. */
const OFFERING =
  /^.*\b(?:i have|we have|is it|do you want|would you like|would you prefer|do you prefer|do you mean|could you come|can you come|shall i|shall we)\s+/i;

const ASKS_WHICH = /\b(?:which|what (?:day|date|time))\b/i;

/** The alternatives of the coach's question, or of the sentence before "Which would you prefer?", as a learner would say them. */
function alternativesIn(line: string): string[] {
  const sentences = line.split(/(?<=[.!?])\s+/);
  const question = sentences.at(-1) ?? '';
  const offer = / or /i.test(question) || !ASKS_WHICH.test(question) ? question : (sentences.at(-2) ?? '');
  const parts = offer.replace(/[.!?]+$/, '').split(/,? or |, (?=\w+ \w+,? or )/i);
  return parts.map((part) =>
    part
      .replace(OFFERING, '')
      .replace(/^(?:and |so |but )?are you\b/i, 'I am')
      .replace(/^(?:and |so |but )?do you\b/i, 'I')
      .trim(),
  );
}

/** Null for a turn that says anything else, and where the coach offers no such choice. */
export function findChosen({ say }: DialogueNode, text: string): string | null {
  const plain = comparableWords(text).join(' ');
  const place = CHOSEN.exec(plain)?.[1];
  const rejected = REJECTED.exec(plain)?.[1] ?? null;
  if ((place === undefined && rejected === null) || text.includes('?')) return null;
  for (const line of [say.intermediate, say.easy, say.hard]) {
    const all = alternativesIn(line);
    if (all.length < 2) continue;
    if (place !== undefined) return all.at(PLACES[place] ?? 0) ?? null;
    if (rejected === null || rejected.split(' ').length > MAX_REJECTED_WORDS) return null;
    const others = all.filter((each) => !` ${comparableWords(each).join(' ')} `.includes(` ${rejected} `));
    if (others.length === 1 && all.length === 2) return others[0] ?? null;
  }
  return null;
}
