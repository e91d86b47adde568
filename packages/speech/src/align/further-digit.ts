/** Detects a digit that was said right after a number, as in “twenty four” for 20. The aligner takes it for speech that is not in the text. */
import { type AcousticOutput, sliceAcousticOutput } from '../acoustic/acoustic-model.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type AlignedWord, type Alignment, phoneSequencesOf, textFitPerPhone } from './align.ts';
import { DIGITS, outputsOf } from './digits.ts';

/** For digits that synthetic voices added, the fit is mostly above -3, and for hesitations below -6. */
const MIN_DIGIT_FIT = -4;
/** After a longer pause, the speaker has begun again or hesitated. */
const MAX_GAP_FRAMES = 4;

const DIGIT_WORDS: readonly ExpectedWord[] = DIGITS.map((sounds) => ({
  word: sounds,
  pauseAfter: 'none',
  pronunciations: [{ phones: [], outputs: outputsOf(sounds) }],
}));

export function hasFurtherDigit(
  number: AlignedWord,
  {
    words,
    insertions,
    hearing,
  }: { words: readonly ExpectedWord[]; hearing: AcousticOutput } & Pick<Alignment, 'insertions'>,
): boolean {
  const lastFrame = number.phones.at(-1)?.lastFrame ?? 0;
  const added = insertions.find(
    ({ beforeWord, firstFrame }) => beforeWord === number.word + 1 && firstFrame - lastFrame <= MAX_GAP_FRAMES,
  );
  if (added === undefined) return false;
  const orders = phoneSequencesOf(sliceAcousticOutput(hearing, added.firstFrame, added.lastFrame + 1));
  const fitOf = (word: ExpectedWord): number => textFitPerPhone(orders, [word]) ?? -Infinity;
  const best = Math.max(...DIGIT_WORDS.map(fitOf));
  // “Seven, seven” and the “for, for” of “Bus 7 for you” repeat a word.
  const repeated = words.slice(number.word, number.word + 2).filter(({ pronunciations }) => pronunciations.length > 0);
  return best >= MIN_DIGIT_FIT && repeated.every((word) => fitOf(word) < best - 2);
}
