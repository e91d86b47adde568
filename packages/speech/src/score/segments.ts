/** Splits long speech into segments of about a sentence, the length that the scorer was trained on. */
import { type AcousticOutput, sliceAcousticOutput } from '../acoustic/acoustic-model.ts';
import type { AlignedWord, Alignment } from '../align/align.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type LogMel, MEL_BANDS } from '../signal/log-mel.ts';

/** In 20 ms frames. A longer segment is cut at its longest pause; most utterances in the corpus are shorter. */
const MAX_SEGMENT_FRAMES = 600;
/** A new segment starts at the end of a sentence with a pause of at least this length. */
const SENTENCE_PAUSE_FRAMES = 5;
/** Segments with fewer words are unreliable, so they are joined with a neighbour. */
const MIN_SEGMENT_WORDS = 3;
const MARGIN_FRAMES = 10;

export interface SpeechSegment {
  acousticOutput: AcousticOutput;
  mel: LogMel;
  /** Frames are relative to the start of the segment. */
  alignment: Alignment;
}

const firstFrame = (word: AlignedWord | undefined): number => word?.phones[0]?.firstFrame ?? 0;
const lastFrame = (word: AlignedWord | undefined): number => word?.phones.at(-1)?.lastFrame ?? 0;

/** Puts every aligned word into exactly one segment, in order. `asked` are the words of the text. */
export function splitIntoSegments(
  whole: SpeechSegment,
  asked: readonly Pick<ExpectedWord, 'pauseAfter'>[],
): SpeechSegment[] {
  const sentences = splitAtSentences(whole.alignment.words, asked);
  return sentences.flatMap(splitAtPauses).map((words, index, all) => {
    if (all.length === 1) return whole;
    const before = all[index - 1]?.at(-1);
    const after = all[index + 1]?.[0];
    const from = Math.max(firstFrame(words[0]) - MARGIN_FRAMES, before === undefined ? 0 : lastFrame(before) + 1);
    const to = Math.min(
      lastFrame(words.at(-1)) + 1 + MARGIN_FRAMES,
      after === undefined ? whole.acousticOutput.frames : firstFrame(after),
    );
    return {
      acousticOutput: sliceAcousticOutput(whole.acousticOutput, from, to),
      mel: sliceMel(whole.mel, 2 * from, 2 * to),
      alignment: { words: words.map((word) => shiftFrames(word, from)), insertions: [] },
    };
  });
}

const pauseBefore = (words: readonly AlignedWord[], index: number): number =>
  firstFrame(words[index]) - lastFrame(words[index - 1]) - 1;

function splitAtSentences(
  words: readonly AlignedWord[],
  asked: readonly Pick<ExpectedWord, 'pauseAfter'>[],
): AlignedWord[][] {
  const sentences: AlignedWord[][] = [[]];
  words.forEach((word, index) => {
    const current = sentences.at(-1) ?? [];
    const before = words[index - 1];
    const isEnd =
      before !== undefined &&
      asked[before.word]?.pauseAfter === 'should' &&
      pauseBefore(words, index) >= SENTENCE_PAUSE_FRAMES &&
      current.length >= MIN_SEGMENT_WORDS &&
      words.length - index >= MIN_SEGMENT_WORDS;
    if (isEnd) sentences.push([word]);
    else current.push(word);
  });
  return sentences;
}

/** Splits at the longest pause until every part is short enough. */
function splitAtPauses(words: readonly AlignedWord[]): AlignedWord[][] {
  const isShort = lastFrame(words.at(-1)) - firstFrame(words[0]) <= MAX_SEGMENT_FRAMES;
  if (isShort || words.length < 2 * MIN_SEGMENT_WORDS) return [[...words]];
  let longest = MIN_SEGMENT_WORDS;
  for (let index = MIN_SEGMENT_WORDS + 1; index <= words.length - MIN_SEGMENT_WORDS; index += 1)
    if (pauseBefore(words, index) > pauseBefore(words, longest)) longest = index;
  return [...splitAtPauses(words.slice(0, longest)), ...splitAtPauses(words.slice(longest))];
}

const sliceMel = ({ values, frames }: LogMel, from: number, to: number): LogMel => ({
  frames: Math.min(frames, to) - from,
  values: values.subarray(from * MEL_BANDS, Math.min(frames, to) * MEL_BANDS),
});

const shiftFrames = (word: AlignedWord, by: number): AlignedWord => ({
  ...word,
  phones: word.phones.map((phone) => ({
    ...phone,
    firstFrame: phone.firstFrame - by,
    lastFrame: phone.lastFrame - by,
  })),
});
