/** Recognises an answer that only repeats a value of the coach's question, such as "The first of March?" */
import type { DialogueNode } from '@parley/domain';
import { comparableWords } from '../../../text/comparable-words.ts';
import { findIntentsByStance } from '../bare-reply.ts';
import { parseSpoken } from '../spoken-text.ts';
import { spellOutFigures } from './figures.ts';
import { onlyValueKinds } from './slots.ts';

const wordsOf = (text: string): string => ` ${comparableWords(spellOutFigures(text)).join(' ')} `;
const isBareValue = (text: string): boolean =>
  onlyValueKinds(parseSpoken(spellOutFigures(text.replace(/[?!.\s]+$/, ''))).plain).length > 0;

/** Such an answer meets an objective only by accepting a proposal, or where an author's own examples name nothing but a value. */
export function onlyRepeatsValue(node: DialogueNode, said: string, objective: string): boolean {
  if (!isBareValue(said) || !Object.values(node.say).some((line) => wordsOf(line).includes(wordsOf(said))))
    return false;
  const accepting = findIntentsByStance(node).get('yes');
  const proving = (node.understanding?.intents ?? []).filter(({ proves }) => proves.some((key) => key === objective));
  return !proving.some(({ key, examples }) => accepting?.has(key) === true || examples.some(isBareValue));
}
