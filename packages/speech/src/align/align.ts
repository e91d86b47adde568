/** Where each word and each phone of a text was said. */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import type { Pronunciation, WordToSay } from '../pronounce/pronounce.ts';
import { alignmentGraph } from './graph.ts';
import { bestPath, freeLogLikelihood } from './viterbi.ts';

export interface AlignedPhone {
  output: number;
  /** With its stress digit, as the dictionary has it. */
  phone: string;
  /** Frames of the path in this phone, both ends included. */
  firstFrame: number;
  lastFrame: number;
  /** The frame where it is likeliest. */
  peakFrame: number;
}

export interface AlignedWord {
  /** Index into the words that were asked for. */
  word: number;
  pronunciation: Pronunciation;
  phones: AlignedPhone[];
}

export interface Alignment {
  words: AlignedWord[];
  /** Log-likelihood a frame, below the free path's: 0 is perfect, a wrong text lies far below. */
  fit: number;
}

/** Null when nothing can be pronounced or the audio is too short for the text. */
export function alignWords(posteriors: Posteriors, words: readonly WordToSay[]): Alignment | null {
  const sayable = words.flatMap((word, index) => (word.pronunciations.length === 0 ? [] : [{ index, word }]));
  if (sayable.length === 0) return null;
  const variantsByWord = sayable.map(({ word }) => word.pronunciations.map((variant) => variant.outputs));
  const graph = alignmentGraph(variantsByWord, { allowSkips: false });
  const path = bestPath(posteriors, graph);
  if (path === null) return null;

  const aligned: AlignedWord[] = [];
  for (let frame = 0; frame < posteriors.frames; frame += 1) {
    const state = graph.states[path.states[frame] as number];
    if (state === undefined || state.place === null || state.output === 0) continue;
    const { word, variant, phone } = state.place;
    const source = sayable[word];
    const pronunciation = source?.word.pronunciations[variant];
    if (source === undefined || pronunciation === undefined) continue;
    aligned[word] ??= { word: source.index, pronunciation, phones: [] };
    const phones = aligned[word].phones;
    const open = phones[phone];
    const likelihoodAt = (at: number): number => posteriors.logProbs[at * posteriors.outputs + state.output] as number;
    if (open === undefined) {
      const name = pronunciation.phones[phone] ?? '';
      phones[phone] = { output: state.output, phone: name, firstFrame: frame, lastFrame: frame, peakFrame: frame };
    } else {
      open.lastFrame = frame;
      if (likelihoodAt(frame) > likelihoodAt(open.peakFrame)) open.peakFrame = frame;
    }
  }
  return { words: aligned, fit: (path.logLikelihood - freeLogLikelihood(posteriors)) / posteriors.frames };
}

/** Words (as indices) that the audio is likelier to have left out than to hold. */
export function omittedWords(posteriors: Posteriors, words: readonly WordToSay[]): Set<number> {
  const sayable = words.flatMap((word, index) => (word.pronunciations.length === 0 ? [] : [{ index, word }]));
  const variants = sayable.map(({ word }) => word.pronunciations.map((variant) => variant.outputs));
  const graph = alignmentGraph(variants, { allowSkips: true });
  const path = bestPath(posteriors, graph);
  const said = new Set<number>();
  if (path !== null) {
    for (const state of path.states) {
      const place = graph.states[state]?.place;
      if (place !== null && place !== undefined) said.add(place.word);
    }
  }
  return new Set(sayable.flatMap(({ index }, at) => (said.has(at) ? [] : [index])));
}

/** How well a text fits, without words or phones: the coach ranks candidate replies with it. */
export function textFit(posteriors: Posteriors, words: readonly WordToSay[]): number | null {
  const variants = words.flatMap((word) =>
    word.pronunciations.length === 0 ? [] : [word.pronunciations.map((variant) => variant.outputs)],
  );
  if (variants.length === 0) return null;
  const path = bestPath(posteriors, alignmentGraph(variants, { allowSkips: false }));
  return path === null ? null : (path.logLikelihood - freeLogLikelihood(posteriors)) / posteriors.frames;
}
