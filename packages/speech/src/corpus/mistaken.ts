/** What a learner was asked for, and what they might have been: the truth behind both is known. */
import { mixedUpWith } from '../pronounce/mixed-up.ts';
import { outputOf, withoutStress } from '../pronounce/phones.ts';
import type { WordToSay } from '../pronounce/pronounce.ts';
import { type Utterance, wordsAsJudged } from './corpus.ts';

export interface Asked {
  utterance: Utterance;
  words: WordToSay[];
  phoneScores: (number | null)[];
  isMistaken: boolean;
}

const scoresOf = ({ words }: Utterance): (number | null)[] =>
  words.flatMap((word) => word.phonesAccuracy ?? word.phones.map(() => null));

export function askedOf(utterance: Utterance): Asked {
  return { utterance, words: wordsAsJudged(utterance), phoneScores: scoresOf(utterance), isMistaken: false };
}

/** Where the sound that was asked for was exchanged; what experts would give for it nobody knows. */
const EXCHANGED = 0;
const MISTAKE_EVERY = 6;

/** The same speech, asked for with some sounds exchanged for ones that learners mix up: said well, they are now mistakes. */
export function mistaken(utterance: Utterance, round: number): Asked {
  const scores = scoresOf(utterance);
  const phoneScores: (number | null)[] = scores.map(() => null);
  let at = 0;
  const words = wordsAsJudged(utterance).map((word): WordToSay => {
    const phones = (word.pronunciations[0]?.phones ?? []).map((phone) => {
      const index = at;
      at += 1;
      const rivals = mixedUpWith(withoutStress(phone));
      const isChosen = (index * 7 + Number(utterance.id) + round * 2) % MISTAKE_EVERY === 0;
      if (!isChosen || rivals.length === 0 || (scores[index] ?? 0) < 1.9) return phone;
      phoneScores[index] = EXCHANGED;
      return `${rivals[(index + round) % rivals.length] ?? ''}${/\d$/.exec(phone)?.[0] ?? ''}`;
    });
    return { ...word, pronunciations: [{ phones, outputs: phones.map((phone) => outputOf(phone) ?? 0) }] };
  });
  return { utterance, words, phoneScores, isMistaken: true };
}
