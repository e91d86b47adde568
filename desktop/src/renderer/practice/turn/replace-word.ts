/** Replaces one word of a transcribed text. */
import type { TranscribedWord } from '@parley/contract';

/** The new word takes over the capitalisation and punctuation of the old one. */
export function replaceWord(words: readonly TranscribedWord[], index: number, word: string): string {
  return words.map((known, at) => (at === index ? likeBefore(known.word, word) : known.word)).join(' ');
}

function likeBefore(before: string, word: string): string {
  if (before === word) return word;
  const [, leading = '', trailing = ''] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/u.exec(before) ?? [];
  const first = before.slice(leading.length, leading.length + 1);
  const isCapital = first !== '' && first === first.toUpperCase() && first !== first.toLowerCase();
  const bare = bareWord(word);
  return `${leading}${isCapital ? bare.slice(0, 1).toUpperCase() + bare.slice(1) : bare}${trailing}`;
}

/** The word without surrounding punctuation. */
export const bareWord = (word: string): string => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
