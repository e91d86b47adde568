/**
 * Detects that “thirteen” was said as “thirty”, or the reverse. The two differ in little more than an “n”, which the aligner places somewhere although it
 * was not said, and an “n” that was said counts as part of the vowel. So the likelihoods of the two numbers are compared.
 */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK, outputOf, withoutStress } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { type ExchangeLogRatio, sequenceLogLikelihood } from './exchanges.ts';

const STEMS = ['TH ER', 'F AO R', 'F IH F', 'S IH K S', 'S EH V AH N', 'S EH V N', 'EY', 'N AY N'];
const TEEN_OR_TEN = new RegExp(`(?:^| )(?:${STEMS.join('|')}) [TD] IY$`);
/** Any word that contains a digit, or a number that is written in letters. */
const WRITTEN = /\d|^(?:thir|four|for|fif|six|seven|eigh|nine)(?:teen(?:s|th|ths)?|t(?:y|ies|ieth|ieths))$/i;
const N = outputOf('N') ?? BLANK;
const Y = outputOf('Y') ?? BLANK;
const SCHWA = outputOf('AH') ?? BLANK;

/**
 * `equal` is the log-likelihood of the “n” at which both numbers are equally likely; `tolerance` is how far beyond it the evidence must go before a number
 * counts as confused. The network expects an “n” less often than it is said, except before “y”; at the end of a recording it is less certain. See
 * `training/EXPERIMENTS.md`.
 */
const WITHIN_SPEECH = { equal: -2.5, tolerance: 1 };
const BEFORE_Y = { equal: 2.2, tolerance: 1.2 };
const AT_END = { equal: -1.5, tolerance: 1.5 };
/** Some voices end a “y” with a trace of an “n”. */
const TOLERANCE_OF_ADDED_N = 2;

interface Evidence {
  order: Posteriors;
  ratio: ExchangeLogRatio | null;
}

/**
 * For each phone, the log-likelihood by which the other number is more likely than the expected one, less the tolerance. It is 0 for every phone except the
 * one in which the two numbers differ, and there too if the evidence is within the tolerance.
 */
export function confusedTeens(words: readonly AlignedWord[], { order, ratio }: Evidence): number[] {
  const phones = words.flatMap((word) => word.phones.map((phone) => ({ word, sound: withoutStress(phone.phone) })));
  const outputs = words.flatMap((word) => word.phones.map(({ output }) => output));
  const confused = phones.map(() => 0);
  let whole: number | null = null;
  phones.forEach(({ word, sound }, at) => {
    if (ratio === null || sound !== 'IY') return;
    const first = phones.findIndex((phone) => phone.word === word);
    const before = phones.slice(first, at + 1).map((phone) => phone.sound);
    if (!TEEN_OR_TEN.test(before.join(' '))) return;
    const [next, afterNext] = [1, 2].map((offset) => outputs[at + offset]);
    const isInWord = phones[at + 1]?.word === word;
    const soundAfterNext = phones[at + 2]?.word === word ? phones[at + 2]?.sound : undefined;
    // The “n” of “59” belongs to the nine.
    const isTeen = isInWord && next === N && soundAfterNext !== 'AY';
    const isOrdinal = isInWord && soundAfterNext === 'TH';
    // In “fifteen nights”, the next word's “n” may be the only one.
    if (isTeen && afterNext === N) return;
    if (isOrdinal) {
      const other = isTeen ? ratio(at + 1, SCHWA) : ratio(at + 1, N);
      confused[at + 1] = Math.max(0, other - WITHIN_SPEECH.tolerance);
      return;
    }
    const after = isTeen ? afterNext : next;
    const { equal, tolerance } = after === undefined ? AT_END : after === Y ? BEFORE_Y : WITHIN_SPEECH;
    if (isTeen) {
      confused[at + 1] = Math.max(0, ratio(at + 1, BLANK) + equal - tolerance);
      return;
    }
    whole ??= sequenceLogLikelihood(order, outputs);
    const withN = sequenceLogLikelihood(order, [...outputs.slice(0, at + 1), N, ...outputs.slice(at + 1)]);
    confused[at] = Math.max(0, withN - whole - equal - Math.max(tolerance, TOLERANCE_OF_ADDED_N));
  });
  return confused;
}

export const isTeenOrTen = (written: string): boolean => WRITTEN.test(written);
