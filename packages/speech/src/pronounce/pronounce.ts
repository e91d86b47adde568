/**
 * Converts text to words with their possible pronunciations: from the dictionary, from a related word there, or else from spelling rules. Words
 * that none of them covers get none.
 */
import { letterToSound } from './letter-to-sound.ts';
import { missingPronunciations } from './missing-pronunciations.ts';
import { outputOf, type PronouncingDictionary, type StressedPhone } from './phones.ts';
import { pluralEnding, pronounceRelated } from './related-words.ts';
import { type PauseAfter, spokenForm } from './spoken-form.ts';

export interface Pronunciation {
  phones: StressedPhone[];
  /** The same pronunciation as outputs of the acoustic model. */
  outputs: number[];
}

export interface ExpectedWord {
  /** The word as it is written. */
  word: string;
  /** Most likely first; empty when the pronunciation is unknown. */
  pronunciations: Pronunciation[];
  /** Set for a name or another word that no dictionary contains, so that the spelling has to tell how it is said. */
  isGuessed?: true;
  /** The pause that the punctuation suggests. Text without punctuation suggests none. */
  pauseAfter: PauseAfter;
}

const MAX_PRONUNCIATIONS = 4;
/** The limit for a single word, whose last ones are those of other accents. */
const MAX_PRONUNCIATIONS_OF_WORD = 7;
/** The limit for each other reading of a number, which has several words with variants of their own. */
const MAX_PRONUNCIATIONS_OF_OTHERS = 6;
const LETTER_NAMES: ReadonlyMap<string, string> = new Map(Object.entries({
  a: 'EY1', b: 'B IY1', c: 'S IY1', d: 'D IY1', e: 'IY1', f: 'EH1 F', g: 'JH IY1', h: 'EY1 CH', i: 'AY1', j: 'JH EY1', k: 'K EY1',
  l: 'EH1 L', m: 'EH1 M', n: 'EH1 N', o: 'OW1', p: 'P IY1', q: 'K Y UW1', r: 'AA1 R', s: 'EH1 S', t: 'T IY1', u: 'Y UW1', v: 'V IY1',
  w: 'D AH1 B AH0 L Y UW0', x: 'EH1 K S', y: 'W AY1', z: 'Z IY1',
})); // prettier-ignore

export function pronounceText(text: string, dictionary: PronouncingDictionary): ExpectedWord[] {
  const words = spokenForm(text);
  const isAllCapitals = words.length > 1 && !/\p{Ll}/u.test(text);
  return words.map(({ written, spoken, otherReadings, pauseAfter }) => {
    const isAsWritten = !isAllCapitals && spoken.length === 1 && spoken[0] === written.toLowerCase();
    const capitals = isAsWritten ? pronounceCapitals(written, dictionary) : null;
    const parts = capitals === null ? spoken.map((word) => pronounceWord(word, dictionary)) : [capitals];
    const usual = combinePronunciations(parts, parts.length === 1 ? MAX_PRONUNCIATIONS_OF_WORD : MAX_PRONUNCIATIONS);
    const others = otherReadings.flatMap((reading) =>
      combinePronunciations(
        reading.map((word) => pronounceWord(word, dictionary)),
        MAX_PRONUNCIATIONS_OF_OTHERS,
      ),
    );
    const isGuessed = capitals === null && spoken.some((word) => knownPronunciations(word, dictionary).length === 0);
    return {
      word: written,
      pauseAfter,
      pronunciations: usual.length === 0 ? [] : [...usual, ...others],
      ...(isGuessed && usual.length > 0 && { isGuessed }),
    };
  });
}

const LONGEST_SPELLED_WORD = 3;

/**
 * Capitals that do not form a word, such as “KPIs”, are usually spelled out. A short word may be too, because “IT” is
 * also “it”.
 */
function pronounceCapitals(written: string, dictionary: PronouncingDictionary): StressedPhone[][] | null {
  const [, letters = '', ending] = /^([A-Z]{2,5})('?s)?$/.exec(written) ?? [];
  if (letters === '') return null;
  const names = [...letters.toLowerCase()].flatMap((letter) => LETTER_NAMES.get(letter)?.split(' ') ?? []);
  const spelled = ending === undefined ? names : [...names, ...pluralEnding(names)];
  const word = written.toLowerCase();
  const usual = pronounceWord(word, dictionary);
  if (dictionary(word).length === 0) return [spelled, ...usual];
  return letters.length > LONGEST_SPELLED_WORD ? usual : [...usual.slice(0, MAX_PRONUNCIATIONS - 1), spelled];
}

/**
 * Whether a recording of the text can be scored at all. This needs no dictionary, because every word in it is spelled
 * in a way that can be pronounced.
 */
export const canBeSaid = (text: string): boolean =>
  pronounceText(text, () => []).some(({ pronunciations }) => pronunciations.length > 0);

function pronounceWord(word: string, dictionary: PronouncingDictionary): StressedPhone[][] {
  const known = knownPronunciations(word, dictionary);
  return known.length > 0 ? known : guessPronunciations(word);
}

const POSSESSIVE = /^(.+)'s?$/;

function completeEntry(word: string, dictionary: PronouncingDictionary): StressedPhone[][] {
  const known = dictionary(word);
  return [...known, ...missingPronunciations(word, known)].map((phones) => [...phones]);
}

function knownPronunciations(word: string, dictionary: PronouncingDictionary): StressedPhone[][] {
  const known = completeEntry(word, dictionary);
  if (known.length > 0) return known;
  const possessive = POSSESSIVE.exec(word)?.[1];
  if (possessive !== undefined) return knownPronunciations(possessive, dictionary).map(withPluralEnding);
  const letter = LETTER_NAMES.get(word);
  return letter === undefined
    ? pronounceRelated(word, (related) => completeEntry(related, dictionary))
    : [letter.split(' ')];
}

const withPluralEnding = (phones: StressedPhone[]): StressedPhone[] => [...phones, ...pluralEnding(phones)];

function guessPronunciations(word: string): StressedPhone[][] {
  const possessive = POSSESSIVE.exec(word)?.[1];
  if (possessive !== undefined) return guessPronunciations(possessive).map(withPluralEnding);
  const guessed = letterToSound(word);
  if (guessed !== null) return [guessed];
  const spelled = /^[a-z]{1,6}$/.test(word) ? [...word].map((character) => LETTER_NAMES.get(character)) : [];
  return spelled.length > 0 && spelled.every((name) => name !== undefined)
    ? [spelled.flatMap((name) => name.split(' '))]
    : [];
}

/**
 * Pronunciations of a written word that is read as several: the first of each part, then variants of one part at a
 * time. The second pronunciation of every part comes before any third one, so that “half” in “2½” may be American
 * although “and” has many variants.
 */
function combinePronunciations(parts: StressedPhone[][][], limit: number): Pronunciation[] {
  if (parts.length === 0 || parts.some((variants) => variants.length === 0)) return [];
  const variants = parts.length === 1 ? (parts[0] ?? []) : concatenateVariants(parts);
  return variants.slice(0, limit).flatMap((phones) => {
    const outputs = phones.map(outputOf);
    return outputs.every((output) => output !== undefined) ? [{ phones, outputs }] : [];
  });
}

function concatenateVariants(parts: StressedPhone[][][]): StressedPhone[][] {
  const usual = parts.map((variants) => variants[0] ?? []);
  const others = Array.from({ length: MAX_PRONUNCIATIONS - 1 }, (_, rank) =>
    parts.flatMap((variants, index) => {
      const variant = variants[rank + 1];
      return variant === undefined ? [] : [usual.flatMap((phones, at) => (at === index ? variant : phones))];
    }),
  ).flat();
  return [usual.flat(), ...others];
}
