/** Aligns a text with audio: where each word and phone was said, what was omitted, and what was inserted. */
import type { AcousticOutput, Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK } from '../pronounce/phones.ts';
import type { Pronunciation, ExpectedWord } from '../pronounce/pronounce.ts';
import { alignmentGraph } from './graph.ts';
import { bestPath, unconstrainedLogLikelihood } from './viterbi.ts';

export interface AlignedPhone {
  output: number;
  /** Includes the stress digit, as in the dictionary. */
  phone: string;
  /** The first and last frame of the phone, both inclusive. */
  firstFrame: number;
  lastFrame: number;
}

export interface AlignedWord {
  /** Index into the requested words. */
  word: number;
  pronunciation: Pronunciation;
  phones: AlignedPhone[];
}

/** Frames with speech that is not part of the text. */
export interface InsertedSpeech {
  firstFrame: number;
  lastFrame: number;
  /** Index of the following word; the number of words at the end of the utterance. */
  beforeWord: number;
}

export interface Alignment {
  words: AlignedWord[];
  insertions: InsertedSpeech[];
}

interface PronounceableWord {
  index: number;
  pronunciations: readonly Pronunciation[];
}

const pronounceableWords = (words: readonly ExpectedWord[]): PronounceableWord[] =>
  words.flatMap(({ pronunciations }, index) => (pronunciations.length === 0 ? [] : [{ index, pronunciations }]));

const outputsOf = (pronounceable: readonly PronounceableWord[]): number[][][] =>
  pronounceable.map(({ pronunciations }) => pronunciations.map(({ outputs }) => outputs));

/**
 * The phone sequence of each network. They are kept separate, because their peaks are in different frames and cannot be
 * averaged.
 */
export type PhoneSequences = readonly Posteriors[];

export const phoneSequencesOf = ({ networks }: AcousticOutput): PhoneSequences => networks.map(({ order }) => order);

/** Returns the indices of words that most networks consider omitted. */
export function omittedWords(sequences: PhoneSequences, words: readonly ExpectedWord[]): Set<number> {
  const pronounceable = pronounceableWords(words);
  const graph = alignmentGraph(outputsOf(pronounceable), { canSkip: true, canInsert: false });
  /** The number of networks that detected each word. */
  const votes = pronounceable.map(() => 0);
  for (const order of sequences) {
    const said = new Set<number>();
    for (const state of bestPath(order, graph)?.states ?? []) {
      const place = graph.states[state]?.place ?? null;
      if (place !== null) said.add(place.word);
    }
    for (const at of said) votes[at] = (votes[at] ?? 0) + 1;
  }
  return new Set(pronounceable.flatMap(({ index }, at) => ((votes[at] ?? 0) * 2 < sequences.length ? [index] : [])));
}

const NOTHING_OMITTED: ReadonlySet<number> = new Set();

/** Aligns the words that were said. Returns null when there are none or the audio is too short for them. */
export function alignWords(
  acousticOutput: AcousticOutput,
  words: readonly ExpectedWord[],
  omitted: ReadonlySet<number> = NOTHING_OMITTED,
): Alignment | null {
  const pronounceable = pronounceableWords(words).filter(({ index }) => !omitted.has(index));
  if (pronounceable.length === 0) return null;
  // The phone sequence decides which pronunciation was used; the frame-wise output decides where its phones are.
  const chosen = chooseVariants(phoneSequencesOf(acousticOutput), pronounceable);
  if (chosen === null) return null;
  const { sounds } = acousticOutput;
  const graph = alignmentGraph(
    chosen.map(({ outputs }) => [outputs]),
    { canSkip: false, canInsert: true },
  );
  const path = bestPath(sounds, graph);
  if (path === null) return null;
  const aligned = chosen.map((pronunciation, at): AlignedWord => ({
    word: pronounceable[at]?.index ?? 0,
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
    beforeWord = pronounceable[word]?.index ?? beforeWord;
    const open = phones[phone];
    const name = chosen[word]?.phones[phone] ?? '';
    if (open !== undefined) open.firstFrame = frame;
    else phones[phone] = { output: state.output, phone: name, firstFrame: frame, lastFrame: frame };
  }
  return { words: aligned, insertions };
}

/** The pronunciation of each word that most networks detected, or the usual one when they disagree. */
function chooseVariants(
  sequences: PhoneSequences,
  pronounceable: readonly PronounceableWord[],
): Pronunciation[] | null {
  const graph = alignmentGraph(outputsOf(pronounceable), { canSkip: false, canInsert: false });
  const votes = pronounceable.map(({ pronunciations }) => pronunciations.map(() => 0));
  for (const order of sequences) {
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
  return pronounceable.map(({ pronunciations }, word) => {
    const own = votes[word] ?? [];
    return pronunciations[own.indexOf(Math.max(...own))] as Pronunciation;
  });
}

/**
 * The log-likelihood of a text relative to the best unconstrained sequence, averaged over the networks: 0 is perfect, and a wrong text is
 * far below. Null when no word can be pronounced or the audio is too short.
 */
function textFit(sequences: PhoneSequences, words: readonly ExpectedWord[]): number | null {
  const pronounceable = pronounceableWords(words);
  if (pronounceable.length === 0) return null;
  const graph = alignmentGraph(outputsOf(pronounceable), { canSkip: false, canInsert: false });
  let sum = 0;
  for (const order of sequences) {
    const path = bestPath(order, graph);
    if (path === null) return null;
    sum += (path.logLikelihood - unconstrainedLogLikelihood(order)) / sequences.length;
  }
  return sum;
}

/** The fit per phone, which makes texts of different lengths comparable. */
export function textFitPerPhone(sequences: PhoneSequences, words: readonly ExpectedWord[]): number | null {
  const fit = textFit(sequences, words);
  const phones = words.reduce((sum, word) => sum + (word.pronunciations[0]?.outputs.length ?? 0), 0);
  return fit === null ? null : fit / Math.max(1, phones);
}
