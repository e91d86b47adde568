/** Acts that every practice shares: remarks directed at the coach, and off-topic sentences. */
import type { DialogueNode } from '@parley/domain';
import { isFunctionWord } from '../../text/comparable-words.ts';
import { parseSpoken } from '../rules/spoken-text.ts';

export interface SharedActs {
  /** By act: the coach's replies and the learner's example phrasings. In all examples, `{word}` stands for a word that the coach has used. */
  asks: Readonly<Record<string, { replies: readonly string[]; examples: readonly string[] }>>;
  off: readonly string[];
}

const WORD = '{word}';
const MIN_LETTERS = 4;

/** Words of the coach's lines at a node that a learner may ask about. */
export const askableWords = ({ say }: Pick<DialogueNode, 'say'>): string[] => [
  ...new Set(
    parseSpoken(
      Object.values(say)
        .join(' ')
        .replaceAll(/\{[^}]*\}/g, ''),
    ).words.filter((word) => word.length >= MIN_LETTERS && !isFunctionWord(word)),
  ),
];

/** Fills the placeholders of the examples with these words in turn; examples that need a word are left out when there is none. */
export const fillWords = (examples: readonly string[], words: readonly string[]): string[] =>
  examples.flatMap((example, at) => {
    if (!example.includes(WORD)) return [example];
    const word = words[at % Math.max(1, words.length)];
    return word === undefined ? [] : [example.replaceAll(WORD, word)];
  });

export const hasWordPlaceholder = (example: string): boolean => example.includes(WORD);
