/**
 * Plants a wrong sound by changing the text: in one place, it expects a different phone from the one said, which
 * learners confuse with it.
 */
import type { AlignedPhone, Alignment } from '../align/align.ts';
import { confusablePhones } from '../pronounce/confusable-phones.ts';
import { isVowel, outputOf, withoutStress } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';

export interface PlantedExchange {
  words: ExpectedWord[];
  /** The index of the changed word in the text. */
  word: number;
  /** The index of the exchanged phone in its word. */
  phone: number;
}

/**
 * `draw` chooses among all possible places; null if there are none. Only words for which `isWellSaid` holds are
 * changed.
 */
export function plantExchange(
  words: readonly ExpectedWord[],
  alignment: Alignment,
  { draw, isWellSaid }: { draw: number; isWellSaid: (word: number) => boolean },
): PlantedExchange | null {
  const places = alignment.words
    .filter(({ word, phones }) => phones.length > 1 && isWellSaid(word))
    .flatMap(({ word, phones, pronunciation }) =>
      phones.flatMap((said, phone) => expectedInstead(said).map((asked) => ({ word, phone, asked, pronunciation }))),
    );
  const place = places[draw % Math.max(1, places.length)];
  if (place === undefined) return null;
  const phones = place.pronunciation.phones.map((each, at) => (at === place.phone ? place.asked : each));
  const pronunciation = { phones, outputs: phones.map((each) => outputOf(each) ?? 0) };
  return {
    words: words.map((each, index) => (index === place.word ? { ...each, pronunciations: [pronunciation] } : each)),
    word: place.word,
    phone: place.phone,
  };
}

/** The phones that the text may expect in place of this one, with its stress. */
function expectedInstead({ phone }: AlignedPhone): string[] {
  const stress = /\d$/.exec(phone)?.[0] ?? '1';
  return confusablePhones(withoutStress(phone)).map((rival) =>
    isVowel(outputOf(rival) ?? 0) ? `${rival}${stress}` : rival,
  );
}
