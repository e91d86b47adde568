/** Finds likely word sequences in one network's phones: a beam search over the lexicon (token passing, CTC without sums). */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK } from '../pronounce/phones.ts';
import { BOUNDARY, type LanguageModel } from './language-model.ts';
import type { Lexicon, LexiconNode } from './lexicon.ts';

/**
 * The weight of a language model's log-probability against the network's, and the bonus for each word; tuned on other
 * English.
 */
export interface SearchWeights {
  language: number;
  perWord: number;
}

export interface FoundSequence {
  words: string[];
  /** The phones of the pronunciation of each word, as outputs of the acoustic model. */
  wordOutputs: (readonly number[])[];
}

const BEAM_SIZE = 220;
/** Sequences that are further below the best, in natural log units, are dropped. */
const BEAM_WIDTH = 18;
const FOUND_SEQUENCES = 12;
/** A frame that is certainly blank changes nothing but the sum. */
const SURE_BLANK = Math.log(0.998);

/** The words up to here. Two histories with the same last two words are one: the better. */
interface History {
  id: number;
  word: string;
  previous: History | null;
  outputs: readonly number[];
}

interface Hypothesis {
  history: History;
  node: LexiconNode;
  /** The output that was said last, which a blank must separate from an equal one. */
  last: number;
  outputs: readonly number[];
  /** The log-likelihood of the best path that ends in a blank, and in `last`. */
  blank: number;
  label: number;
}

const totalOf = ({ blank, label }: Hypothesis): number => Math.max(blank, label);

/** Most likely first; empty when no sequence of words has as many phones as the recording has room for. */
export function searchWords(
  { frames, outputs: width, logProbs }: Posteriors,
  { lexicon, language }: { lexicon: Lexicon; language: LanguageModel },
  weights: SearchWeights,
): FoundSequence[] {
  const historyIds = new Map<string, number>();
  const extend = (previous: History | null, word: string, outputs: readonly number[]): History => {
    const key = `${previous?.word ?? ''} ${word}`;
    const id = historyIds.get(key) ?? historyIds.size;
    historyIds.set(key, id);
    return { id, word, previous, outputs };
  };
  const rootScore = weights.language * lexicon.root.best;
  let active = new Map<number, Hypothesis>();
  const keep = (into: Map<number, Hypothesis>, candidate: Hypothesis): void => {
    const key = candidate.history.id * lexicon.size + candidate.node.index;
    const known = into.get(key);
    if (known === undefined) {
      into.set(key, candidate);
      return;
    }
    const better = totalOf(candidate) > totalOf(known) ? candidate : known;
    if (known.last === candidate.last) {
      known.blank = Math.max(known.blank, candidate.blank);
      known.label = Math.max(known.label, candidate.label);
      known.history = better.history;
      known.outputs = better.outputs;
    } else if (better === candidate) into.set(key, candidate);
  };
  const enterWords = (into: Map<number, Hypothesis>, ended: Hypothesis): void => {
    const { node, history, blank, label, last, outputs } = ended;
    for (const word of node.words) {
      const gained =
        weights.language * (language.logProbability(history.word, word) - node.best) + rootScore + weights.perWord;
      const next = extend(history, word, outputs);
      keep(into, {
        history: next,
        node: lexicon.root,
        last,
        outputs: [],
        blank: blank + gained,
        label: label + gained,
      });
    }
  };
  const begin = extend(null, BOUNDARY, []);
  keep(active, { history: begin, node: lexicon.root, last: BLANK, outputs: [], blank: rootScore, label: -Infinity });
  for (let frame = 0; frame < frames; frame += 1) {
    const row = frame * width;
    const blankScore = logProbs[row + BLANK] as number;
    const next = new Map<number, Hypothesis>();
    for (const hypothesis of active.values()) {
      const { history, node, last, outputs } = hypothesis;
      const total = totalOf(hypothesis);
      const repeated = last === BLANK ? -Infinity : hypothesis.label + (logProbs[row + last] as number);
      keep(next, { history, node, last, outputs, blank: total + blankScore, label: repeated });
      if (blankScore > SURE_BLANK) continue;
      for (const child of node.children) {
        const from = child.output === last ? hypothesis.blank : total;
        const label = from + (logProbs[row + child.output] as number) + weights.language * (child.best - node.best);
        keep(next, {
          history,
          node: child,
          last: child.output,
          outputs: [...outputs, child.output],
          blank: -Infinity,
          label,
        });
      }
    }
    const kept = prune(next);
    active = new Map();
    for (const hypothesis of kept) keep(active, hypothesis);
    if (blankScore <= SURE_BLANK) for (const hypothesis of kept) enterWords(active, hypothesis);
  }
  return [...active.values()]
    .filter(({ node, history }) => node === lexicon.root && history.previous !== null)
    .map((hypothesis) => ({
      hypothesis,
      score: totalOf(hypothesis) + weights.language * language.logProbability(hypothesis.history.word, BOUNDARY),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FOUND_SEQUENCES)
    .map(({ hypothesis }) => sequenceOf(hypothesis.history));
}

function prune(hypotheses: ReadonlyMap<number, Hypothesis>): Hypothesis[] {
  let best = -Infinity;
  for (const hypothesis of hypotheses.values()) best = Math.max(best, totalOf(hypothesis));
  const near = [...hypotheses.values()].filter((hypothesis) => totalOf(hypothesis) > best - BEAM_WIDTH);
  if (near.length <= BEAM_SIZE) return near;
  return near.toSorted((a, b) => totalOf(b) - totalOf(a)).slice(0, BEAM_SIZE);
}

function sequenceOf(last: History): FoundSequence {
  const found: FoundSequence = { words: [], wordOutputs: [] };
  for (let at: History | null = last; at !== null && at.previous !== null; at = at.previous) {
    found.words.unshift(at.word);
    found.wordOutputs.unshift(at.outputs);
  }
  return found;
}
