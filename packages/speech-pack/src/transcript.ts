/** A speech pack's transcript of an utterance. */

export interface TranscribedWord {
  /** As it appears in the text, with its punctuation. */
  word: string;
  /** 0-1: the model's probability for this word. */
  confidence: number;
  /** Other words that the model considered here, most probable first. */
  alternatives: string[];
}

export interface Transcript {
  text: string;
  words: TranscribedWord[];
}

/** One step of the model: the token that was taken and the most probable others. Tokens are pieces of words. */
export interface TokenStep {
  token: number;
  probability: number;
  others: { token: number; probability: number }[];
}

export interface TokenText {
  /** The text of a sequence of tokens, without special ones. */
  decode: (tokens: readonly number[]) => string;
  /** Whether the language has this word, in lower case. */
  isWord: (word: string) => boolean;
}

const MIN_ALTERNATIVE_PROBABILITY = 0.02;
const MAX_ALTERNATIVES = 4;

/** Joins tokens into words. A word is as probable as all of its tokens together. */
export function wordsOf(steps: readonly TokenStep[], { decode, isWord }: TokenText): Transcript {
  const words: TranscribedWord[] = [];
  const tokens: number[] = [];
  for (const { token, probability, others } of steps) {
    const before = decode(tokens);
    const alternatives = others
      .filter((other) => other.probability >= MIN_ALTERNATIVE_PROBABILITY)
      .flatMap((other) => newWord(before, decode([...tokens, other.token])) ?? [])
      .filter((word) => isWord(word.toLowerCase()));
    tokens.push(token);
    const spelled = splitWords(decode(tokens));
    const place = spelled.length - 1;
    const last = spelled[place];
    // A special token adds no text.
    if (last === undefined || decode(tokens) === before) continue;
    const known = words[place];
    if (known === undefined) words[place] = { word: last, confidence: probability, alternatives };
    // The later part of a word belongs to the word that was taken, so its alternatives say nothing about whole words.
    else words[place] = { word: last, confidence: known.confidence * probability, alternatives: known.alternatives };
  }
  const text = decode(tokens).trim();
  return {
    text,
    words: words.map(({ word, confidence, alternatives }) => ({
      word,
      confidence: Math.min(1, confidence),
      alternatives: [...new Set(alternatives)].filter((other) => bare(other) !== bare(word)).slice(0, MAX_ALTERNATIVES),
    })),
  };
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const bare = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '');

/** The word that a token begins; null if it continues the previous one. */
function newWord(before: string, after: string): string | null {
  const words = splitWords(after);
  const last = words.at(-1);
  return last !== undefined && words.length > splitWords(before).length && /^[\p{L}'’-]+$/u.test(last) ? last : null;
}

/** Texts of one utterance that was transcribed in several parts. */
export const joinTranscripts = (parts: readonly Transcript[]): Transcript => ({
  text: parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(' '),
  words: parts.flatMap(({ words }) => words),
});
