/**
 * Finds words in whose place another word was said. The aligner has to place every word that was not left out, so it
 * spreads it over the other word's sounds, which are judged leniently. Here a stretch of the text is compared with the
 * same stretch without the word.
 */
import { type AcousticOutput, sliceAcousticOutput } from '../acoustic/acoustic-model.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type AlignedWord, type Alignment, alignWords, phoneSequencesOf } from './align.ts';
import { alignmentGraph } from './graph.ts';
import { bestPath } from './viterbi.ts';

/** Shorter words fit by accident, or differ from other forms of the same word in too little. */
const MIN_PHONES = 5;
/** The words on each side that are compared together with the word. */
const NEIGHBOURS = 2;
/** Per phone; see `training/EXPERIMENTS.md`. */
const MIN_GAIN = -0.5;

interface AlignedText {
  alignment: Alignment;
  omitted: ReadonlySet<number>;
}

/**
 * Counts words in whose place another word was said as omitted, so that the other word counts as inserted. One word at
 * a time, because its neighbours fit worse as long as it is there. A text of which nothing would be left stays as it is.
 */
export function withoutReplacedWords(
  hearing: AcousticOutput,
  words: readonly ExpectedWord[],
  aligned: AlignedText,
): AlignedText {
  const replaced = mostReplacedWord(hearing, words, aligned.alignment);
  if (replaced === null) return aligned;
  const omitted = new Set([...aligned.omitted, replaced]);
  const alignment = alignWords(hearing, words, omitted);
  return alignment === null ? aligned : withoutReplacedWords(hearing, words, { alignment, omitted });
}

/** The index of the word without which the text gains most. Some of the other word's sounds count as other speech beside it. */
function mostReplacedWord(
  hearing: AcousticOutput,
  expected: readonly ExpectedWord[],
  { words, insertions }: Alignment,
): number | null {
  let most = { word: null as number | null, gain: MIN_GAIN };
  for (const [at, { word, phones }] of words.entries()) {
    const next = words[at + 1]?.word ?? expected.length;
    const isBesideOtherSpeech = insertions.some(({ beforeWord }) => beforeWord === word || beforeWord === next);
    // A name is often said otherwise than its spelling suggests, and then fits no better than another word.
    const isGuessed = expected[word]?.isGuessed === true;
    if (!isBesideOtherSpeech || isGuessed || phones.length < MIN_PHONES) continue;
    const gain = gainWithout(hearing, words, at) / phones.length;
    if (gain >= most.gain) most = { word, gain };
  }
  return most.word;
}

/** The log-likelihood that the text gains if other speech takes the place of a word. */
function gainWithout(hearing: AcousticOutput, words: readonly AlignedWord[], at: number): number {
  const from = Math.max(0, at - NEIGHBOURS);
  const nearby = words.slice(from, at + NEIGHBOURS + 1);
  const without = nearby.filter((_, index) => index !== at - from);
  const firstFrame = words[from - 1]?.phones.at(-1)?.lastFrame ?? -1;
  const endFrame = words[at + NEIGHBOURS + 1]?.phones[0]?.firstFrame ?? hearing.frames;
  const sequences = phoneSequencesOf(sliceAcousticOutput(hearing, firstFrame + 1, endFrame));
  const likelihoodOf = (text: readonly AlignedWord[]): number => {
    const graph = alignmentGraph(
      text.map(({ pronunciation }) => [pronunciation.outputs]),
      { canSkip: false, canInsert: true },
    );
    return sequences.reduce(
      (sum, order) => sum + (bestPath(order, graph)?.logLikelihood ?? -Infinity) / sequences.length,
      0,
    );
  };
  return without.length === 0 ? -Infinity : likelihoodOf(without) - likelihoodOf(nearby);
}
