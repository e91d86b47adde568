/** Phones that learners of English confuse. */

/** Pairs that learners confuse (Swan and Smith, "Learner English", 2001). */
const CONFUSABLE_PAIRS: readonly (readonly [string, string])[] = [
  ['TH', 'S'], ['DH', 'D'], ['TH', 'T'], ['DH', 'Z'], ['V', 'W'], ['L', 'R'], ['L', 'N'], ['IH', 'IY'], ['EH', 'AE'], ['B', 'P'],
  ['D', 'T'], ['G', 'K'], ['Z', 'S'], ['SH', 'S'], ['AH', 'AE'], ['UH', 'UW'], ['N', 'NG'], ['F', 'P'], ['V', 'B'], ['CH', 'SH'],
  ['TH', 'F'], ['ER', 'AH'], ['OW', 'AO'], ['EY', 'EH'], ['F', 'HH'], ['M', 'N'], ['JH', 'CH'],
]; // prettier-ignore

/** The phones that learners confuse with this one, without stress. */
export const confusablePhones = (phone: string): string[] =>
  CONFUSABLE_PAIRS.flatMap(([a, b]) => (phone === a ? [b] : phone === b ? [a] : []));
