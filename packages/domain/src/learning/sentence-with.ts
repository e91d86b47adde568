/** Finds the sentence of a text in which a word occurs. */
import { findWord } from './find-word.ts';
import { MAX_SENTENCE_CHARACTERS } from './word-attempt.ts';

const SENTENCES = /[^.!?]+[.!?]*/g;

/** The first sentence with the word, or the whole text; cut to the length that the attempt log stores. */
export function sentenceWith(word: string, text: string): string {
  const sentences = text.match(SENTENCES) ?? [text];
  const found = sentences.find((sentence) => findWord(word, [sentence]).length > 0);
  return (found ?? text).trim().slice(0, MAX_SENTENCE_CHARACTERS).toWellFormed();
}

/** The sentences of a text, each at most this long; a longer one is cut between words. */
export function sentencesOf(text: string, maxCharacters: number): string[] {
  const sentences = (text.match(SENTENCES) ?? []).map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim());
  return sentences
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .flatMap((sentence) => cut(sentence, maxCharacters));
}

function cut(sentence: string, maxCharacters: number): string[] {
  if (sentence.length <= maxCharacters) return [sentence];
  const space = sentence.lastIndexOf(' ', maxCharacters);
  const end = space > 0 ? space : maxCharacters;
  return [sentence.slice(0, end), ...cut(sentence.slice(end).trim(), maxCharacters)];
}
