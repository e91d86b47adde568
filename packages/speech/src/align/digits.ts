/**
 * Detects that a number word from one to nine was said as another one, left out, or said as “forty” or “fourteen” instead of “four”. The scores of single
 * sounds judge this leniently, because a long number has many sounds.
 */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { outputOf, withoutStress } from '../pronounce/phones.ts';
import type { AlignedWord } from './align.ts';
import { sequenceLogLikelihood } from './exchanges.ts';

const DIGITS = [
  'W AH N', 'T UW', 'TH R IY', 'F AO R', 'F AY V', 'S IH K S', 'S EH V AH N', 'EY T', 'N AY N',
]; // prettier-ignore
const VARIANTS: Readonly<Record<string, string>> = { 'F AO': 'F AO R', 'S EH V N': 'S EH V AH N' };
const SAID_DIGIT = new RegExp(
  `(?<= )(?:${[...DIGITS, ...Object.keys(VARIANTS)].join('|')})(?= )(?! (?:R|[TD] IY|IY|T IH) )`,
  'g',
);
/** The beginnings of teens and tens; -teen and -ty themselves are compared in `teens.ts`. */
const STEMS = ['TH ER', 'F AO R', 'F IH F', 'S IH K S', 'S EH V AH N', 'EY', 'N AY N'];
const SAID_STEM = new RegExp(`(?<= )(?:${[...STEMS, ...Object.keys(VARIANTS)].join('|')})(?= [TD] IY )`, 'g');
const MAY_TAKE_TY = new Set(['F AO R', 'S IH K S', 'S EH V AH N', 'EY T', 'N AY N']);
/** “Hundred” means the same as “one hundred”. */
const MAY_BE_LEFT_OUT = 'W AH N';

/** For correct readings by synthetic voices the value is never above -12, and for other numbers mostly above 10. */
const BEYOND_DOUBT = 3;

const outputsOf = (sounds: string): number[] =>
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
      ...[...sounds.matchAll(SAID_DIGIT)].map((match) => ({ match, rivals: rivalsOf })),
      ...[...sounds.matchAll(SAID_STEM)].map((match) => ({ match, rivals: otherStems })),
    ];
    for (const { match, rivals } of found) {
      const [said] = match;
      const at = start + sounds.slice(0, match.index).split(' ').length - 2;
      const end = at + said.split(' ').length;
      whole ??= sequenceLogLikelihood(order, outputs);
      const likelihoodWith = (sound: string): number =>
        sequenceLogLikelihood(order, [...outputs.slice(0, at), ...outputsOf(sound), ...outputs.slice(end)]);
      const digit = VARIANTS[said] ?? said;
      const leftOut = rivals === rivalsOf ? likelihoodWith('') : -Infinity;
      const other = Math.max(...rivals(digit).map(likelihoodWith));
      const isLeftOut = leftOut >= other;
      if (isLeftOut && digit === MAY_BE_LEFT_OUT) continue;
      confused[at] = Math.max(0, (isLeftOut ? leftOut : other) - whole - BEYOND_DOUBT);
    }
    start += word.phones.length;
  }
  return confused;
}

const otherStems = (stem: string): string[] => STEMS.filter((other) => other !== stem);

function rivalsOf(digit: string): string[] {
  const tens = digit === 'EY T' ? 'EY T IY' : `${digit} T IY`;
  return [...DIGITS.filter((other) => other !== digit), ...(MAY_TAKE_TY.has(digit) ? [tens, `${tens} N`] : [])];
}
