/**
 * Detects that a number word from one to nine was said as another one, left out, or said as “forty” or “fourteen” instead of “four”, and that a zero was
 * left out. The scores of single sounds judge this leniently, because a long number has many sounds.
 */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { outputOf, withoutStress } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { sequenceLogLikelihood } from './exchanges.ts';

export const DIGITS: readonly string[] = [
  'W AH N', 'T UW', 'TH R IY', 'F AO R', 'F AY V', 'S IH K S', 'S EH V AH N', 'EY T', 'N AY N',
]; // prettier-ignore
const VARIANTS: Readonly<Record<string, string>> = { 'F AO': 'F AO R', 'S EH V N': 'S EH V AH N' };
const SAID_DIGITS = [...DIGITS, ...Object.keys(VARIANTS)].join('|');
const SAID_DIGIT = new RegExp(`(?<= )(?:${SAID_DIGITS})(?= )(?! (?:R|[TD] IY|IY|T IH) )`, 'g');
/** The beginnings of teens and tens; -teen and -ty themselves are compared in `teens.ts`. */
const STEMS = ['TH ER', 'F AO R', 'F IH F', 'S IH K S', 'S EH V AH N', 'EY', 'N AY N'];
const SAID_STEM = new RegExp(`(?<= )(?:${[...STEMS, ...Object.keys(VARIANTS)].join('|')})(?= [TD] IY )`, 'g');
const MAY_TAKE_TY = new Set(['F AO R', 'S IH K S', 'S EH V AH N', 'EY T', 'N AY N']);
const ZEROS = ['OW', 'Z IH R OW', 'Z IY R OW'];
/** A zero after other digits, because the one of “05” may be left out. */
const SAID_ZERO = new RegExp(`(?<= (?:${SAID_DIGITS}|T IY|T IY N|OW) )(?:${ZEROS.join('|')})(?= )`, 'g');
/** “Hundred” means the same as “one hundred”. */
const MAY_BE_LEFT_OUT = 'W AH N';

/** For correct readings by synthetic voices the value is never above -12, and for other numbers mostly above 10. */
const BEYOND_DOUBT = 3;
/** Some voices join the zero of “two oh four” to the two: for correct readings the value is up to 8, and without the zero above 11. */
const ZERO_BEYOND_DOUBT = 9;

export const outputsOf = (sounds: string): number[] =>
  sounds === '' ? [] : sounds.split(' ').map((sound) => outputOf(sound) ?? 0);

/** Like `confusedTeens`, but the value is that of the first sound of the number word. */
export function confusedDigits(
  words: readonly AlignedWord[],
  order: Posteriors,
  isNumber: (word: AlignedWord) => boolean,
): number[] {
  const outputs = words.flatMap((word) => word.phones.map(({ output }) => output));
  const confused = outputs.map(() => 0);
  let whole: number | null = null;
  let start = 0;
  for (const word of words) {
    const sounds = isNumber(word) ? ` ${word.phones.map(({ phone }) => withoutStress(phone)).join(' ')} ` : '';
    const found = [
      ...[...sounds.matchAll(SAID_DIGIT)].map((match) => ({ match, rivals: rivalsOf, tolerance: BEYOND_DOUBT })),
      ...[...sounds.matchAll(SAID_STEM)].map((match) => ({ match, rivals: otherStems, tolerance: BEYOND_DOUBT })),
      ...[...sounds.matchAll(SAID_ZERO)].map((match) => ({ match, rivals: nothing, tolerance: ZERO_BEYOND_DOUBT })),
    ];
    for (const { match, rivals, tolerance } of found) {
      const [said] = match;
      const at = start + sounds.slice(0, match.index).split(' ').length - 2;
      const end = at + said.split(' ').length;
      whole ??= sequenceLogLikelihood(order, outputs);
      const likelihoodWith = (sound: string): number =>
        sequenceLogLikelihood(order, [...outputs.slice(0, at), ...outputsOf(sound), ...outputs.slice(end)]);
      const digit = VARIANTS[said] ?? said;
      const leftOut = rivals !== otherStems ? likelihoodWith('') : -Infinity;
      const other = Math.max(...rivals(digit).map(likelihoodWith));
      const isLeftOut = leftOut >= other;
      if (isLeftOut && digit === MAY_BE_LEFT_OUT) continue;
      confused[at] = Math.max(0, (isLeftOut ? leftOut : other) - whole - tolerance);
    }
    start += word.phones.length;
  }
  return confused;
}

const nothing = (): string[] => [];

const otherStems = (stem: string): string[] => STEMS.filter((other) => other !== stem);

function rivalsOf(digit: string): string[] {
  const tens = digit === 'EY T' ? 'EY T IY' : `${digit} T IY`;
  return [...DIGITS.filter((other) => other !== digit), ...(MAY_TAKE_TY.has(digit) ? [tens, `${tens} N`] : [])];
}
