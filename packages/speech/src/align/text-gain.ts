/**
 * Measures how much better a text fits a recording than unrelated words would, which depends less on accent, voice and
 * room than the fit alone.
 */
import { outputOf } from '../pronounce/phones.ts';
import type { ExpectedWord } from '../pronounce/pronounce.ts';
import { type PhoneSequences, textFitPerPhone } from './align.ts';

/** Unrelated English words, from which texts of any length are cut. */
const OTHER_PHONES = (
  'P IY P AH L W AO T ER G AA R D AH N S AH M ER Y EH L OW P IH K CH ER M AW N T AH N W IH N D OW K IH CH AH N D AA K T ER AE N AH M AH L ' +
  'R AE B AH T P ER P AH L AO R AH N JH F AO R T IY M IH N AH T B AE S K AH T M AA R K AH T F AE B R IH K L EH M AH N S IH G N AH L TH IH R IY ' +
  'V IH ZH AH N JH AH NG G AH L SH AE D OW TH AH N D ER HH AE M ER B AA T AH L F IH NG G ER P EH N S AH L AH M B R EH L AH V OY IH JH ' +
  'Z IY B R AH CH IH K AH N JH AH JH B IY CH Y UW TH HH AW S F R EH SH T AH M AA R OW DH IY Z B UH K S'
)
  .split(' ')
  .map((phone) => outputOf(phone) ?? 0);
const OTHER_TEXTS = 12;
const OFFSET_PHONES = 17;

/** In natural log units per phone; null when the audio is too short for a text of this length. */
export function textGainPerPhone(sequences: PhoneSequences, words: readonly ExpectedWord[]): number | null {
  const fit = textFitPerPhone(sequences, words);
  const phones = words.reduce((sum, { pronunciations }) => sum + (pronunciations[0]?.outputs.length ?? 0), 0);
  if (fit === null) return null;
  let sum = 0;
  for (let index = 0; index < OTHER_TEXTS; index += 1) {
    const other = textFitPerPhone(sequences, [otherText(phones, index * OFFSET_PHONES)]);
    if (other === null) return null;
    sum += other;
  }
  return fit - sum / OTHER_TEXTS;
}

const otherText = (phones: number, from: number): ExpectedWord => ({
  word: '',
  pauseAfter: 'none',
  pronunciations: [
    {
      phones: [],
      outputs: Array.from({ length: phones }, (_, at) => OTHER_PHONES[(from + at) % OTHER_PHONES.length] ?? 0),
    },
  ],
});
