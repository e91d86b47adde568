/** Guesses the pronunciation of an unknown English word with our own ordered spelling rules, longest first. */
import type { StressedPhone } from './phones.ts';

interface SpellingRule {
  letters: string;
  phones: string;
  /** Where the rule applies: at the start, at the end, or before these letters. */
  where?: 'start' | 'end';
  before?: RegExp;
}

const rule = (
  letters: string,
  phones: string,
  limits: Omit<SpellingRule, 'letters' | 'phones'> = {},
): SpellingRule => ({
  letters,
  phones,
  ...limits,
});

const SOFTENS = /^[eiy]/;
const OPEN_SYLLABLE = /^[^aeiouwxy][aiou]$/;

const RULES: readonly SpellingRule[] = [
  rule('tion', 'SH AH0 N'), rule('sion', 'ZH AH0 N'), rule('cious', 'SH AH0 S'), rule('tious', 'SH AH0 S'),
  rule('ture', 'CH ER0'), rule('ough', 'AO1'), rule('augh', 'AO1'), rule('eigh', 'EY1'), rule('igh', 'AY1'),
  rule('tch', 'CH'), rule('dge', 'JH'), rule('sch', 'S K'), rule('ight', 'AY1 T'), rule('ould', 'UH1 D'),
  rule('ing', 'IH0 NG', { where: 'end' }), rule('ness', 'N AH0 S', { where: 'end' }), rule('ment', 'M AH0 N T', { where: 'end' }),
  rule('able', 'AH0 B AH0 L', { where: 'end' }), rule('ful', 'F AH0 L', { where: 'end' }), rule('ly', 'L IY0', { where: 'end' }),
  rule('ch', 'CH'), rule('sh', 'SH'), rule('th', 'TH'), rule('ph', 'F'), rule('wh', 'W'), rule('ck', 'K'), rule('ng', 'NG', { where: 'end' }),
  rule('kn', 'N', { where: 'start' }), rule('wr', 'R', { where: 'start' }), rule('ps', 'S', { where: 'start' }), rule('gn', 'N', { where: 'start' }),
  rule('qu', 'K W'), rule('gh', 'G', { where: 'start' }), rule('gh', ''), rule('mb', 'M', { where: 'end' }),
  rule('ai', 'EY1'), rule('ay', 'EY1'), rule('ea', 'IY1'), rule('ee', 'IY1'), rule('ei', 'EY1'), rule('ey', 'IY0', { where: 'end' }),
  rule('ie', 'IY1'), rule('oa', 'OW1'), rule('oo', 'UW1'), rule('ou', 'AW1'), rule('ow', 'OW1', { where: 'end' }), rule('ow', 'AW1'),
  rule('oi', 'OY1'), rule('oy', 'OY1'), rule('au', 'AO1'), rule('aw', 'AO1'), rule('ew', 'UW1'), rule('ue', 'UW1'), rule('ui', 'UW1'),
  rule('ar', 'AA1 R'), rule('er', 'ER0'), rule('ir', 'ER1'), rule('or', 'AO1 R'), rule('ur', 'ER1'),
  rule('bb', 'B'), rule('cc', 'K'), rule('dd', 'D'), rule('ff', 'F'), rule('gg', 'G'), rule('ll', 'L'), rule('mm', 'M'), rule('nn', 'N'),
  rule('pp', 'P'), rule('rr', 'R'), rule('ss', 'S'), rule('tt', 'T'), rule('zz', 'Z'),
  rule('c', 'S', { before: SOFTENS }), rule('c', 'K'), rule('g', 'JH', { before: SOFTENS }), rule('g', 'G'), rule('x', 'Z', { where: 'start' }),
  rule('x', 'K S'), rule('y', 'Y', { where: 'start' }), rule('y', 'IY0', { where: 'end' }), rule('y', 'IH1'), rule('s', 'S'), rule('z', 'Z'),
  rule('b', 'B'), rule('d', 'D'), rule('f', 'F'), rule('h', 'HH'), rule('j', 'JH'), rule('k', 'K'), rule('l', 'L'), rule('m', 'M'), rule('n', 'N'),
  rule('p', 'P'), rule('q', 'K'), rule('r', 'R'), rule('t', 'T'), rule('v', 'V'), rule('w', 'W'),
  rule('a', 'AH0', { where: 'end' }), rule('e', '', { where: 'end' }), rule('i', 'IY0', { where: 'end' }), rule('o', 'OW0', { where: 'end' }),
  // The last two vowels of names and loanwords, such as “Yuki”, “sudoku” and “Priya”.
  rule('iy', 'IY1', { before: /^[aeiou]/ }), rule('a', 'AA1', { before: OPEN_SYLLABLE }), rule('i', 'IY1', { before: OPEN_SYLLABLE }),
  rule('o', 'OW1', { before: OPEN_SYLLABLE }), rule('u', 'UW1', { before: OPEN_SYLLABLE }), rule('u', 'UW1', { where: 'end' }),
  rule('a', 'EY1', { before: /^[^aeiouwxy]e$/ }), rule('i', 'AY1', { before: /^[^aeiouwxy]e$/ }), rule('o', 'OW1', { before: /^[^aeiouwxy]e$/ }),
  rule('u', 'UW1', { before: /^[^aeiouwxy]e$/ }),
  rule('a', 'AE1'), rule('e', 'EH1'), rule('i', 'IH1'), rule('o', 'AA1'), rule('u', 'AH1'),
]; // prettier-ignore

const VOICED_ENDING = /[bdgvmnlrwyaeiou]$/;

/** The phones of a word of the letters a-z; null when the spelling gives no clue (no vowel, or foreign letters). */
export function letterToSound(word: string): StressedPhone[] | null {
  const bare = word.replaceAll(/['-]/g, '');
  if (!/^[a-z]+$/.test(bare) || !/[aeiouy]/.test(bare) || bare.length > 40) return null;
  if (bare.length > 3 && /[^su]s$/.test(bare) && VOICED_ENDING.test(bare.slice(0, -1))) {
    const stem = letterToSound(bare.slice(0, -1));
    if (stem !== null) return [...stem, 'Z'];
  }
  const phones: StressedPhone[] = [];
  for (let at = 0; at < bare.length;) {
    const rest = bare.slice(at);
    const match = RULES.find((candidate) => applies(candidate, { rest, at }));
    if (match === undefined) return null;
    if (match.phones !== '') phones.push(...match.phones.split(' '));
    at += match.letters.length;
  }
  return phones.length === 0 ? null : phones;
}

function applies(candidate: SpellingRule, place: { rest: string; at: number }): boolean {
  if (!place.rest.startsWith(candidate.letters)) return false;
  const after = place.rest.slice(candidate.letters.length);
  if (candidate.where === 'start' && place.at !== 0) return false;
  if (candidate.where === 'end' && (after !== '' || place.at === 0)) return false;
  return candidate.before === undefined || candidate.before.test(after);
}
