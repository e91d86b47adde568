/** Chooses and scores the words of a canned answer, always in the same way for the same text. */
import type { CallScript } from './script.ts';

export interface CannedWord {
  word: string;
  kind: 'said' | 'omitted' | 'inserted';
}

const DEFAULT_SENTENCE = 'i would like a cup of tea with a little milk please';

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[’]/g, "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];

export function cannedWords(script: CallScript, referenceText: string | null): CannedWord[] {
  const remainingOmissions = new Set(script.omitted);
  const words = wordsIn(script.said ?? referenceText ?? DEFAULT_SENTENCE).map((word): CannedWord => {
    // Each omission applies once; a later word with the same spelling is said.
    return remainingOmissions.delete(word) ? { word, kind: 'omitted' } : { word, kind: 'said' };
  });
  for (const { word, before } of script.inserted ?? []) {
    const at = words.findIndex((said) => said.word === before && said.kind === 'said');
    words.splice(Math.max(0, at), 0, { word, kind: 'inserted' });
  }
  return words;
}

const TWO_LETTER_SOUNDS: Readonly<Record<string, string>> = {
  th: 'θ', sh: 'ʃ', ch: 'tʃ', ng: 'ŋ', ee: 'i', ea: 'i', oo: 'u', ou: 'aʊ', ai: 'eɪ', ay: 'eɪ', ow: 'oʊ', ph: 'f', ck: 'k',
}; // prettier-ignore
const ONE_LETTER_SOUNDS: Readonly<Record<string, string>> = {
  a: 'æ', c: 'k', e: 'ɛ', i: 'ɪ', j: 'dʒ', o: 'ɑ', q: 'k', r: 'ɹ', u: 'ʌ', x: 'ks', y: 'j',
}; // prettier-ignore

/** IPA by spelling: close enough for a fake, and wrong wherever English spelling is irregular. */
export function phonemesFromSpelling(word: string): string[] {
  const letters = word.replace(/[^\p{L}\p{N}]/gu, '');
  const sounds: string[] = [];
  for (let at = 0; at < letters.length;) {
    const digraph = TWO_LETTER_SOUNDS[letters.slice(at, at + 2)];
    const letter = letters.charAt(at);
    sounds.push(digraph ?? ONE_LETTER_SOUNDS[letter] ?? letter);
    at += digraph === undefined ? 1 : 2;
  }
  return sounds;
}

/** FNV-1a: returns 80 to 100, always the same for the same name. */
export function cannedScore(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return 80 + (hash % 21);
}
