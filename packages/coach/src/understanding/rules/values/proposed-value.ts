/** Recognises offers such as "What about a hundred and seventy?" and "Can we say Tuesday?", which resemble questions to the coach. */
import { comparableWords } from '../../../text/comparable-words.ts';
import { parseSpoken } from '../spoken-text.ts';
import { spellOutFigures } from './figures.ts';
import { onlyValueKinds } from './slots.ts';

const PROPOSED =
  /^(?:(?:and|but|so|or|well|okay|hm|then|maybe|perhaps) )*(?:(?:what|how) about|(?:can|could|shall) we (?:say|make it|agree on)|let us (?:say|agree on)) (.+)$/;

export function proposesValue(text: string): boolean {
  const [, proposed = ''] = PROPOSED.exec(comparableWords(spellOutFigures(text)).join(' ')) ?? [];
  return proposed !== '' && onlyValueKinds(parseSpoken(proposed).plain).length > 0;
}
