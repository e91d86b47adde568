/**
 * Detects whether the ending of a word was left out, such as the -s of “walks” or the -ed of “wanted”. The aligner
 * always places it somewhere, and a misplaced sound is judged leniently, so the whole sequence is compared with one
 * that lacks the ending.
 */
import type { Posteriors } from '../acoustic/acoustic-model.ts';
import { BLANK, withoutStress } from '../pronounce/phones.ts';
import type { AlignedPhone, AlignedWord } from './align.ts';
import { type ExchangeLogRatio, sequenceLogLikelihood } from './exchanges.ts';

const SIBILANTS: ReadonlySet<string> = new Set(['S', 'Z', 'SH', 'ZH', 'CH', 'JH']);
const STOPS: ReadonlySet<string> = new Set(['T', 'D']);

const soundOf = (phone: AlignedPhone | undefined): string => withoutStress(phone?.phone ?? '');

/** The number of phones of the ending -s or -ed, which includes a vowel after a similar sound, as in “changes” and “wanted”; 0 without one. */
export function endingLength(phones: readonly AlignedPhone[]): number {
  const [before, vowel, last] = [phones.at(-3), phones.at(-2), phones.at(-1)];
  const similar = SIBILANTS.has(soundOf(last)) ? SIBILANTS : STOPS;
  if (!/^[SZTD]$/.test(soundOf(last)) || phones.length < 2) return 0;
  const isSyllable = /^[ZD]$/.test(soundOf(last)) && /^(?:IH|AH)0$/.test(vowel?.phone ?? '');
  return isSyllable && similar.has(soundOf(before)) && phones.length > 3 ? 2 : 1;
}

/**
 * Careful speakers say every final “s”, but swallow the “t” and “d” of words such as “and”, so that only -ed counts. A recording of a single word often
 * stops early, which would count against good readings of “house” and “six”, so there an “s” counts only if it may be an ending.
 */
export const mayLackEnding = (
  written: string,
  phones: readonly AlignedPhone[],
  { isSingleWord }: { isSingleWord: boolean },
): boolean => /(?:ed|[^s]s)$/i.test(written) || (!isSingleWord && /^[SZ]$/.test(soundOf(phones.at(-1))));

/** Whether the next word, said without a pause, swallows the ending: the two “s” of “likes swimming” sound like one. */
export function isSwallowed(word: AlignedWord, next: AlignedWord | undefined): boolean {
  const last = word.phones.at(-1);
  const first = next?.phones[0];
  if (last === undefined || first === undefined) return false;
  const isSibilant = SIBILANTS.has(soundOf(last));
  return isSibilant
    ? SIBILANTS.has(soundOf(first))
    : STOPS.has(soundOf(first)) || SIBILANTS.has(soundOf(first)) || /^(?:TH|DH)$/.test(soundOf(first));
}

/**
 * For each phone, the log-likelihood that its ending was left out rather than said; -Infinity for a phone that is in no
 * ending.
 */
export function leftOutEndings(
  words: readonly AlignedWord[],
  { order, ratio }: { order: Posteriors; ratio: ExchangeLogRatio | null },
): number[] {
  const outputs = words.flatMap(({ phones }) => phones.map(({ output }) => output));
  let whole: number | null = null;
  let at = 0;
  return words.flatMap((word, index) => {
    at += word.phones.length;
    const length = isSwallowed(word, words[index + 1]) ? 0 : endingLength(word.phones);
    const leftOut = ((): number => {
      if (length === 0 || ratio === null) return -Infinity;
      if (length === 1) return ratio(at - 1, BLANK);
      whole ??= sequenceLogLikelihood(order, outputs);
      return sequenceLogLikelihood(order, [...outputs.slice(0, at - length), ...outputs.slice(at)]) - whole;
    })();
    return word.phones.map((_, phone) => (phone >= word.phones.length - length ? leftOut : -Infinity));
  });
}
