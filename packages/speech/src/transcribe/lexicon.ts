/** All words that can be recognised, as a trie of their sounds, so that words which begin alike are searched once. */
import { outputOf, type PronouncingDictionary } from '../pronounce/phones.ts';
import { pronounceRelated } from '../pronounce/related-words.ts';

export interface LexiconNode {
  /** The output of the acoustic model that leads here; the blank at the root. */
  output: number;
  children: LexiconNode[];
  /** The words that end here. */
  words: string[];
  /** The highest log-probability of any word from here on, so that improbable words are given up before their end. */
  best: number;
  index: number;
}

export interface Lexicon {
  root: LexiconNode;
  /** The number of nodes. */
  size: number;
}

const MAX_VARIANTS = 3;

/**
 * `logProbability` is that of a word on its own. Words whose pronunciation the dictionary cannot provide are left out.
 */
export function createLexicon(
  vocabulary: readonly string[],
  dictionary: PronouncingDictionary,
  logProbability: (word: string) => number,
): Lexicon {
  let size = 0;
  const addNode = (output: number): LexiconNode => {
    const node: LexiconNode = { output, children: [], words: [], best: -Infinity, index: size };
    size += 1;
    return node;
  };
  const root = addNode(0);
  for (const word of vocabulary) {
    const best = logProbability(word);
    const known = dictionary(word);
    const variants = known.length > 0 ? known : pronounceRelated(word, dictionary);
    for (const phones of variants.slice(0, MAX_VARIANTS)) {
      const outputs = phones.map(outputOf);
      if (outputs.length === 0 || outputs.some((output) => output === undefined)) continue;
      let node = root;
      node.best = Math.max(node.best, best);
      for (const output of outputs as number[]) {
        let child = node.children.find((each) => each.output === output);
        if (child === undefined) {
          child = addNode(output);
          node.children.push(child);
        }
        child.best = Math.max(child.best, best);
        node = child;
      }
      if (!node.words.includes(word)) node.words.push(word);
    }
  }
  return { root, size };
}
