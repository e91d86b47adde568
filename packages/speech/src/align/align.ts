/** Where each word and each phone of a text was said, what of it was left out, and what was said besides. */
import type { Hearing, Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK } from '../pronounce/phones.ts';
import type { Pronunciation, WordToSay } from '../pronounce/pronounce.ts';
import { alignmentGraph } from './graph.ts';
import { bestPath, freeLogLikelihood } from './viterbi.ts';

export interface AlignedPhone {
  output: number;
  /** With its stress digit, as the dictionary has it. */
  phone: string;
  /** Frames in which it sounds, both ends included. */
  firstFrame: number;
  lastFrame: number;
}

export interface AlignedWord {
  /** Index into the words that were asked for. */
  word: number;
  pronunciation: Pronunciation;
  phones: AlignedPhone[];
}

/** Frames in which something was said that the text does not hold. */
export interface InsertedSpeech {
  firstFrame: number;
  lastFrame: number;
  /** Index of the word that it comes before; the number of words when it ends the utterance. */
  beforeWord: number;
}

export interface Alignment {
  words: AlignedWord[];
  insertions: InsertedSpeech[];
}

interface Sayable {
  index: number;
  pronunciations: readonly Pronunciation[];
}

const sayableOf = (words: readonly WordToSay[]): Sayable[] =>
  words.flatMap(({ pronunciations }, index) => (pronunciations.length === 0 ? [] : [{ index, pronunciations }]));

const outputsOf = (sayable: readonly Sayable[]): number[][][] =>
  sayable.map(({ pronunciations }) => pronunciations.map(({ outputs }) => outputs));

/** A hearing's phones in their order: each network's own, because their peaks lie in different frames and have no mean. */
export type Orders = readonly Posteriors[];

export const ordersOf = ({ networks }: Hearing): Orders => networks.map(({ order }) => order);

/** Words (as indices) of which most networks say that they were left out. */
export function omittedWords(orders: Orders, words: readonly WordToSay[]): Set<number> {
  const sayable = sayableOf(words);
  const graph = alignmentGraph(outputsOf(sayable), { canSkip: true, canInsert: false });
  /** Of each word, how many networks heard it. */
  const votes = sayable.map(() => 0);
  for (const order of orders) {
    const said = new Set<number>();
    for (const state of bestPath(order, graph)?.states ?? []) {
      const place = graph.states[state]?.place ?? null;
      if (place !== null) said.add(place.word);
    }
    for (const at of said) votes[at] = (votes[at] ?? 0) + 1;
  }
  return new Set(sayable.flatMap(({ index }, at) => ((votes[at] ?? 0) * 2 < orders.length ? [index] : [])));
}

const NOTHING_OMITTED: ReadonlySet<number> = new Set();

/** Aligns the words that were said; null when there are none or the audio is too short for them. */
export function alignWords(
  hearing: Hearing,
  words: readonly WordToSay[],
  omitted: ReadonlySet<number> = NOTHING_OMITTED,
): Alignment | null {
  const sayable = sayableOf(words).filter(({ index }) => !omitted.has(index));
  if (sayable.length === 0) return null;
  // Which pronunciation was said is read from the order of the phones, where they lie from what sounds in each frame.
  const chosen = likeliestPronunciations(ordersOf(hearing), sayable);
  if (chosen === null) return null;
  const { sounds } = hearing;
  const graph = alignmentGraph(
    chosen.map(({ outputs }) => [outputs]),
    { canSkip: false, canInsert: true },
  );
  const path = bestPath(sounds, graph);
  if (path === null) return null;
  const aligned = chosen.map((pronunciation, at): AlignedWord => ({
    word: sayable[at]?.index ?? 0,
    pronunciation,
    phones: [],
  }));
  const insertions: InsertedSpeech[] = [];
  let beforeWord = words.length;
  for (let frame = sounds.frames - 1; frame >= 0; frame -= 1) {
    const state = graph.states[path.states[frame] as number];
    if (state === undefined || state.output === BLANK) continue;
    if (state.place === null) {
      const [open] = insertions;
      if (open?.firstFrame === frame + 1) open.firstFrame = frame;
      else insertions.unshift({ firstFrame: frame, lastFrame: frame, beforeWord });
      continue;
    }
    const { word, phone } = state.place;
    const phones = aligned[word]?.phones ?? [];
    beforeWord = sayable[word]?.index ?? beforeWord;
    const open = phones[phone];
    const name = chosen[word]?.phones[phone] ?? '';
    if (open !== undefined) open.firstFrame = frame;
    else phones[phone] = { output: state.output, phone: name, firstFrame: frame, lastFrame: frame };
  }
  return { words: aligned, insertions };
}

/** The pronunciation of each word that most networks heard, the usual one when they disagree. */
function likeliestPronunciations(orders: Orders, sayable: readonly Sayable[]): Pronunciation[] | null {
  const graph = alignmentGraph(outputsOf(sayable), { canSkip: false, canInsert: false });
  const votes = sayable.map(({ pronunciations }) => pronunciations.map(() => 0));
  for (const order of orders) {
    const path = bestPath(order, graph);
    if (path === null) return null;
    const heard = new Map<number, number>();
    for (const state of path.states) {
      const place = graph.states[state]?.place ?? null;
      if (place !== null) heard.set(place.word, place.variant);
    }
    for (const [word, variant] of heard) {
      const own = votes[word] ?? [];
      own[variant] = (own[variant] ?? 0) + 1;
    }
  }
  return sayable.map(({ pronunciations }, word) => {
    const own = votes[word] ?? [];
    return pronunciations[own.indexOf(Math.max(...own))] as Pronunciation;
  });
}

/**
 * Log-likelihood of a text, below any sounds at all, as the networks hear it in the mean: 0 is perfect, a wrong text lies far below.
 * Null when nothing can be pronounced or the audio is too short.
 */
function textFit(orders: Orders, words: readonly WordToSay[]): number | null {
  const sayable = sayableOf(words);
  if (sayable.length === 0) return null;
  const graph = alignmentGraph(outputsOf(sayable), { canSkip: false, canInsert: false });
  let sum = 0;
  for (const order of orders) {
    const path = bestPath(order, graph);
    if (path === null) return null;
    sum += (path.logLikelihood - freeLogLikelihood(order)) / orders.length;
  }
  return sum;
}

/** The same a phone, so that texts of any length compare. */
export function textFitPerPhone(orders: Orders, words: readonly WordToSay[]): number | null {
  const fit = textFit(orders, words);
  const phones = words.reduce((sum, word) => sum + (word.pronunciations[0]?.outputs.length ?? 0), 0);
  return fit === null ? null : fit / Math.max(1, phones);
}
