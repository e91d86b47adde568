/** Finds the sentence of a text in which a word occurs. */
import { endsSentence } from '../practice/split-for-speech.ts';
import { findWord } from './find-word.ts';
import { MAX_SENTENCE_CHARACTERS } from './word-attempt.ts';

/** "No." before a number is short for "number". */
const NUMBERED = /^["'“‘([]*no\.$/i;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first sentence with the word, or the whole text; cut to the length that the attempt log stores. */
export const sentenceWith = (word: string, text: string): string => sentencesWith(word, text)[0] ?? storable(text);

/** Each sentence with the word, in order; cut to the length that the attempt log stores. */
export const sentencesWith = (word: string, text: string): string[] =>
  splitSentences(text)
    .filter((sentence) => findWord(word, [sentence]).length > 0)
    .map(storable);

function storable(text: string): string {
  const trimmed = text.trim();
  const end =
    trimmed.length <= MAX_SENTENCE_CHARACTERS ? trimmed.length : endOfCharacter(trimmed, MAX_SENTENCE_CHARACTERS);
  return trimmed.slice(0, end).toWellFormed();
}

/** The sentences of a text, each at most this long; a longer one is cut between words. */
export function sentencesOf(text: string, maxCharacters: number): string[] {
  const sentences = splitSentences(text).map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim());
  return sentences
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .flatMap((sentence) => cut(sentence, maxCharacters));
}

/**
 * Splits between words only, so that "3.5" stays whole. `Intl.Segmenter` would split after "Mr.", and would not split
 * before a sentence that begins with a lower-case letter, as in typed and recognised text.
 */
function splitSentences(text: string): string[] {
  const words = text.match(/\s*\S+/g) ?? [];
  const sentences: string[] = [];
  let sentence = '';
  for (const [place, spaced] of words.entries()) {
    sentence += spaced;
    const word = spaced.trim();
    if (!endsSentence(word) || (NUMBERED.test(word) && /^\s*\d/.test(words[place + 1] ?? ''))) continue;
    sentences.push(sentence);
    sentence = '';
  }
  return sentence === '' ? sentences : [...sentences, sentence];
}

function cut(sentence: string, maxCharacters: number): string[] {
  if (sentence.length <= maxCharacters) return [sentence];
  const space = sentence.lastIndexOf(' ', maxCharacters);
  const end = space > 0 ? space : endOfCharacter(sentence, maxCharacters);
  return [sentence.slice(0, end), ...cut(sentence.slice(end).trim(), maxCharacters)];
}

/** The end of the last character that fits; a character that alone is longer is cut between its code points. */
function endOfCharacter(text: string, maxCharacters: number): number {
  const start = GRAPHEMES.segment(text).containing(maxCharacters)?.index ?? maxCharacters;
  if (start > 0) return start;
  return text.slice(0, maxCharacters).isWellFormed() ? maxCharacters : maxCharacters - 1;
}
