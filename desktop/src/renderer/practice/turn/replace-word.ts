/** Replaces one word of a transcribed text. */
import type { TranscribedWord } from '@parley/contract';

/** The new word takes over the punctuation of the old one, and its capital where a sentence begins. */
export function replaceWord(words: readonly TranscribedWord[], index: number, word: string): string {
  const beginsSentence = index === 0 || /[.!?]$/.test(words[index - 1]?.word ?? '');
  return words.map((known, at) => (at === index ? likeBefore(known.word, word, beginsSentence) : known.word)).join(' ');
}

function likeBefore(before: string, word: string, beginsSentence: boolean): string {
  if (before === word) return word;
  const [, leading = '', trailing = ''] = /^([^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/u.exec(before) ?? [];
  const first = before.slice(leading.length, leading.length + 1);
  const isCapital = beginsSentence && first !== '' && first === first.toUpperCase() && first !== first.toLowerCase();
  const bare = bareWord(word);
  return `${leading}${isCapital ? bare.slice(0, 1).toUpperCase() + bare.slice(1) : bare}${trailing}`;
}

/** The word without surrounding punctuation. */
export const bareWord = (word: string): string => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
