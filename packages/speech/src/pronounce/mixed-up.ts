/** Sounds that are mixed up. */

/** Sounds that learners of English exchange for each other (Swan and Smith, "Learner English", 2001). */
const MIXED_UP: readonly (readonly [string, string])[] = [
  ['TH', 'S'], ['DH', 'D'], ['TH', 'T'], ['DH', 'Z'], ['V', 'W'], ['L', 'R'], ['L', 'N'], ['IH', 'IY'], ['EH', 'AE'], ['B', 'P'],
  ['D', 'T'], ['G', 'K'], ['Z', 'S'], ['SH', 'S'], ['AH', 'AE'], ['UH', 'UW'], ['N', 'NG'], ['F', 'P'], ['V', 'B'], ['CH', 'SH'],
  ['ER', 'AH'], ['OW', 'AO'], ['EY', 'EH'], ['F', 'HH'], ['M', 'N'], ['JH', 'CH'],
]; // prettier-ignore

/** The phones that learners say for this one, and it for them; without stress. */
export const mixedUpWith = (phone: string): string[] =>
  MIXED_UP.flatMap(([a, b]) => (phone === a ? [b] : phone === b ? [a] : []));
