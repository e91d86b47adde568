/** Finds words in whose place something else was said. */
import type { AcousticOutput } from '../acoustic/acoustic-model.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { alignWords, type Alignment } from './align.ts';

/** 25 ms a sound, half of what the fastest speech takes. */
const MAX_FRAMES_PER_PHONE = 1.25;
/** A shorter word can be swallowed in fast speech. */
const MIN_PHONES = 3;

interface SaidWords {
  alignment: Alignment;
  omitted: ReadonlySet<number>;
}

/** Counts words that were replaced as omitted, and gives their time to what was said instead. */
export function omitReplacedWords(
  acousticOutput: AcousticOutput,
  words: readonly ExpectedWord[],
  placed: SaidWords,
): SaidWords {
  const replaced = replacedWords(placed.alignment);
  if (replaced.length === 0) return placed;
  const omitted = new Set([...placed.omitted, ...replaced]);
  const alignment = alignWords(acousticOutput, words, omitted);
  return alignment === null ? placed : { alignment, omitted };
}

/**
 * The alignment has to place every word that was not left out. Beside speech that is not in the text, a word that gets no time of its own was
 * replaced: “Friday” was said for “Tuesday”.
 */
function replacedWords({ words, insertions }: Alignment): number[] {
  return words.flatMap(({ word, phones }) => {
    const [first, last] = [phones[0]?.firstFrame ?? 0, phones.at(-1)?.lastFrame ?? 0];
    const isBesideOtherSpeech = insertions.some(
      ({ firstFrame, lastFrame }) => lastFrame === first - 1 || firstFrame === last + 1,
    );
    const hasNoTime = last - first + 1 <= MAX_FRAMES_PER_PHONE * phones.length;
    return isBesideOtherSpeech && hasNoTime && phones.length >= MIN_PHONES ? [word] : [];
  });
}
