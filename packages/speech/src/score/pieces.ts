/** Long speech in pieces of a sentence: what the scorer was trained on, and what a score can be told of. */
import { type Hearing, sliceHearing } from '../acoustic/acoustic-model.ts';
import type { AlignedWord, Alignment } from '../align/align.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { type LogMel, MEL_BANDS } from '../signal/log-mel.ts';

/** In 20 ms frames. What is longer is cut at its longest pause; the corpus' utterances are mostly shorter. */
const MAX_PIECE_FRAMES = 600;
/** Where a sentence ends and the voice rests for this long, a new piece begins. */
const SENTENCE_PAUSE_FRAMES = 5;
/** Fewer words say too little by themselves: they go with their neighbours. */
const MIN_PIECE_WORDS = 3;
const MARGIN_FRAMES = 10;

export interface Piece {
  hearing: Hearing;
  mel: LogMel;
  /** Its frames count from the piece's own start. */
  alignment: Alignment;
}

const firstFrame = (word: AlignedWord | undefined): number => word?.phones[0]?.firstFrame ?? 0;
const lastFrame = (word: AlignedWord | undefined): number => word?.phones.at(-1)?.lastFrame ?? 0;

/** Every aligned word is in exactly one piece, in order. `asked` are the words of the text. */
export function splitIntoPieces(whole: Piece, asked: readonly Pick<WordToSay, 'pauseAfter'>[]): Piece[] {
  const sentences = splitAtSentences(whole.alignment.words, asked);
  return sentences.flatMap(splitAtPauses).map((words, index, all) => {
    if (all.length === 1) return whole;
    const before = all[index - 1]?.at(-1);
    const after = all[index + 1]?.[0];
    const from = Math.max(firstFrame(words[0]) - MARGIN_FRAMES, before === undefined ? 0 : lastFrame(before) + 1);
    const to = Math.min(
      lastFrame(words.at(-1)) + 1 + MARGIN_FRAMES,
      after === undefined ? whole.hearing.frames : firstFrame(after),
    );
    return {
      hearing: sliceHearing(whole.hearing, from, to),
      mel: sliceMel(whole.mel, 2 * from, 2 * to),
      alignment: { words: words.map((word) => shifted(word, from)), insertions: [] },
    };
  });
}

const pauseBefore = (words: readonly AlignedWord[], index: number): number =>
  firstFrame(words[index]) - lastFrame(words[index - 1]) - 1;

function splitAtSentences(
  words: readonly AlignedWord[],
  asked: readonly Pick<WordToSay, 'pauseAfter'>[],
): AlignedWord[][] {
  const sentences: AlignedWord[][] = [[]];
  words.forEach((word, index) => {
    const current = sentences.at(-1) ?? [];
    const before = words[index - 1];
    const isEnd =
      before !== undefined &&
      asked[before.word]?.pauseAfter === 'should' &&
      pauseBefore(words, index) >= SENTENCE_PAUSE_FRAMES &&
      current.length >= MIN_PIECE_WORDS &&
      words.length - index >= MIN_PIECE_WORDS;
    if (isEnd) sentences.push([word]);
    else current.push(word);
  });
  return sentences;
}

/** Halves at the longest pause until each part is short enough. */
function splitAtPauses(words: readonly AlignedWord[]): AlignedWord[][] {
  const isShort = lastFrame(words.at(-1)) - firstFrame(words[0]) <= MAX_PIECE_FRAMES;
  if (isShort || words.length < 2 * MIN_PIECE_WORDS) return [[...words]];
  let longest = MIN_PIECE_WORDS;
  for (let index = MIN_PIECE_WORDS + 1; index <= words.length - MIN_PIECE_WORDS; index += 1)
    if (pauseBefore(words, index) > pauseBefore(words, longest)) longest = index;
  return [...splitAtPauses(words.slice(0, longest)), ...splitAtPauses(words.slice(longest))];
}

const sliceMel = ({ values, frames }: LogMel, from: number, to: number): LogMel => ({
  frames: Math.min(frames, to) - from,
  values: values.subarray(from * MEL_BANDS, Math.min(frames, to) * MEL_BANDS),
});

const shifted = (word: AlignedWord, by: number): AlignedWord => ({
  ...word,
  phones: word.phones.map((phone) => ({
    ...phone,
    firstFrame: phone.firstFrame - by,
    lastFrame: phone.lastFrame - by,
  })),
});
