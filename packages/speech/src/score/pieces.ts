/** Long speech in pieces of a sentence or two: what the scorer was trained on, and what a score can be told of. */
import { type Hearing, sliceHearing } from '../acoustic/acoustic-model.ts';
import type { AlignedWord, Alignment } from '../align/align.ts';
import { type LogMel, MEL_BANDS } from '../signal/log-mel.ts';

/** In 20 ms frames. Up to here an utterance is one piece, as the learners' of the corpus are. */
const MAX_PIECE_FRAMES = 1_000;
const MARGIN_FRAMES = 10;

export interface Piece {
  hearing: Hearing;
  mel: LogMel;
  /** Its frames count from the piece's own start. */
  alignment: Alignment;
}

const firstFrame = (word: AlignedWord | undefined): number => word?.phones[0]?.firstFrame ?? 0;
const lastFrame = (word: AlignedWord | undefined): number => word?.phones.at(-1)?.lastFrame ?? 0;

/** Every aligned word is in exactly one piece, in order. */
export function splitIntoPieces(whole: Piece): Piece[] {
  return splitWords(whole.alignment.words, whole.hearing.frames <= MAX_PIECE_FRAMES).map((words, index, all) => {
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

/** Halves at the longest pause until each part is short enough. */
function splitWords(words: readonly AlignedWord[], isShort: boolean): AlignedWord[][] {
  if (isShort || words.length < 2 || lastFrame(words.at(-1)) - firstFrame(words[0]) <= MAX_PIECE_FRAMES)
    return [[...words]];
  let longest = 1;
  const pauseBefore = (index: number): number => firstFrame(words[index]) - lastFrame(words[index - 1]);
  for (let index = 2; index < words.length; index += 1) if (pauseBefore(index) > pauseBefore(longest)) longest = index;
  return [...splitWords(words.slice(0, longest), false), ...splitWords(words.slice(longest), false)];
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
