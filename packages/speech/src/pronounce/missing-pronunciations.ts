/** Usual pronunciations, in ARPAbet, that CMUdict lacks and spelling does not show. */
import type { StressedPhone } from './phones.ts';

/** British pronunciations that differ by more than the sounds in which the accents differ everywhere. */
const BRITISH = {
  administrative: 'AH0 D M IH1 N IH0 S T R AH0 T IH0 V',
  administratively: 'AH0 D M IH1 N IH0 S T R AH0 T IH0 V L IY0',
  advertisement: 'AH0 D V ER1 T IH0 S M AH0 N T',
  advertisements: 'AH0 D V ER1 T IH0 S M AH0 N T S',
  ate: 'EH1 T',
  ballet: 'B AE1 L EY0',
  been: 'B IY1 N',
  certificate: 'S AH0 T IH1 F IH0 K AH0 T',
  certificates: 'S AH0 T IH1 F IH0 K AH0 T S',
  clerk: 'K L AA1 R K',
  clerks: 'K L AA1 R K S',
  comrade: 'K AA1 M R EY2 D',
  comrades: 'K AA1 M R EY2 D Z',
  figure: 'F IH1 G ER0',
  figures: 'F IH1 G ER0 Z',
  fragile: 'F R AE1 JH AY2 L',
  garage: 'G AE1 R IH0 JH',
  garages: 'G AE1 R IH0 JH IH0 Z',
  laboratory: 'L AH0 B AO1 R AH0 T R IY0',
  lieutenant: 'L EH0 F T EH1 N AH0 N T',
  locale: 'L OW0 K AA1 L',
  locales: 'L OW0 K AA1 L Z',
  massage: 'M AE1 S AA2 ZH',
  missile: 'M IH1 S AY2 L',
  missiles: 'M IH1 S AY2 L Z',
  mobile: 'M OW1 B AY2 L',
  oregano: 'AO2 R IH0 G AA1 N OW0',
  pakistan: 'P AA1 K IH0 S T AA2 N',
  poor: 'P AO1 R',
  portrait: 'P AO1 R T R EY2 T',
  portraits: 'P AO1 R T R EY2 T S',
  privacy: 'P R IH1 V AH0 S IY0',
  process: 'P R OW1 S EH2 S',
  processes: 'P R OW1 S EH2 S IH0 Z',
  scenario: 'S IH0 N AA1 R IY0 OW0',
  schedule: 'SH EH1 D Y UW0 L',
  scheduled: 'SH EH1 D Y UW0 L D',
  schedules: 'SH EH1 D Y UW0 L Z',
  scheduling: 'SH EH1 D Y UW0 L IH0 NG',
  shone: 'SH AA1 N',
  thorough: 'TH AH1 R AH0',
  version: 'V ER1 SH AH0 N',
  versions: 'V ER1 SH AH0 N Z',
  vitamin: 'V IH1 T AH0 M IH0 N',
  vitamins: 'V IH1 T AH0 M IH0 N Z',
  yogurt: 'Y AA1 G ER0 T',
};

const OTHERS = {
  comfortably: ['K AH1 M F T AH0 B L IY0'],
  gif: ['JH IH1 F', 'G IH1 F'],
  houses: ['HH AW1 Z IH0 Z'],
  kilo: ['K IY1 L OW0'],
  kilos: ['K IY1 L OW0 Z'],
  luxuries: ['L AH1 K SH ER0 IY0 Z'],
  luxury: ['L AH1 K SH ER0 IY0'],
  mhm: ['M HH M', 'AH0 M HH AH1 M'],
  oaxaca: ['W AH0 HH AA1 K AH0'],
  // The second one is “reals”.
  reais: ['R EY0 AY1 S', 'R EY0 AA1 L Z', 'R EY0 AY1 SH'],
  schiphol: ['S K IH1 P AA2 L', 'SH IH1 P OW2 L'],
  species: ['S P IY1 S IY0 Z'],
  width: ['W IH1 T TH'],
};

/** Forms without stress. */
const WEAK = {
  as: 'AH0 Z',
  at: 'AH0 T',
  could: 'K AH0 D',
  from: 'F R AA1 M',
  had: 'HH AH0 D',
  have: 'HH AH0 V',
  of: 'AA1 V',
  should: 'SH AH0 D',
  were: 'W AH0',
  what: 'W AA1 T',
  would: 'W AH0 D',
  you: 'Y AH0',
};

const LISTED: ReadonlyMap<string, StressedPhone[][]> = new Map(
  [...Object.entries(BRITISH), ...Object.entries(WEAK), ...Object.entries(OTHERS)].map(([word, pronunciations]) => [
    word,
    [pronunciations].flat().map((phones) => phones.split(' ')),
  ]),
);

/** Words in which many British speakers say the vowel of “father” for that of “trap”. */
const BROAD_A = new RegExp(
  `^(?:${[
    'advan[ct]\\w+|aghast|(?:un)?answer\\w*|ask|aunt|banana|bath|bathroom|behalf|belfast|blast|branch|brass|ca(?:lf|lve|n.t)|cast|castle|chance',
    'chancellor|chant|clasp|class|classmate|classroom|command|craft|craftsm[ae]n|dance|dancing|dancer|daft|demand|disaster|draft',
    'draught|enchant|enhance\\w*|enhancing|example|fast|fasten|flask|freelance|france|gasp|ghastly|giraffe|glance|glass|graft|grant|grass',
    'grasp|hal(?:f|ve)|last|laugh|laughter|mask|master|masterpiece|nasty|pass|passer|passover|passport|password|past|pastime|pasture|path',
    'pathway|plant|plaster|plastic|raft|raspberr(?:y|ies)|rather|sample|sampling|shaft|shan.t|slant|staff|task|trance|vantage|vast',
    'after\\w*|footpath|\\w+(?:cast|graph|glass|mask|task)',
  ].join('|')})(?:e?s|e?d|ing|e?r|e?rs|e?st|ly|'s)?$`,
);

/** Null without such a vowel. Before “r”, as in “paragraph”, it is never that of “father”. */
function withBroadA(phones: readonly StressedPhone[]): StressedPhone[] | null {
  const broad = ['AE1', 'AE2']
    .map((vowel) => phones.findIndex((phone, at) => phone === vowel && phones[at + 1] !== 'R'))
    .find((at) => at >= 0);
  return broad === undefined ? null : phones.map((phone, at) => (at === broad ? phone.replace('AE', 'AA') : phone));
}

/** “Parent”, “various” and “rarity” have the vowel of “square” everywhere. */
const SHORT_A_BEFORE_R =
  /arr|(?<!^r)arit(?:y|ies)$|^(?:apparent|arab|aristoc|aromat|baron|caramel|caravan|carol|charact|compari|comparative|guarante|marath|maritime|paradi|paragr|parall|parasit|paraly|paris|parody|transparen)/;

const isVowel = (phone: StressedPhone): boolean => /\d$/.test(phone);
const SYLLABIC = new Set(['L', 'M', 'N', 'NG', 'R']);

/**
 * With the vowel of “sit” for the one without stress in “pocket” and “promises”, where the letter is “e” or “i”. If a letter is silent, as in
 * “business”, only the last vowel is certain. Null if there is none.
 */
function withWeakI(word: string, phones: readonly StressedPhone[]): StressedPhone[] | null {
  const letters = word.replace(/(?<=[^aeiouyl])e$/, '').match(/[aeiouy]+/g) ?? [];
  const vowels = phones.filter(isVowel).length;
  const letterOf = (vowel: number): string =>
    letters.length === vowels ? (letters[vowel] ?? '') : vowel === vowels - 1 ? (letters.at(-1) ?? '') : '';
  let vowel = -1;
  const changed = phones.map((phone, index) => {
    if (!isVowel(phone)) return phone;
    vowel += 1;
    const isWeakI = phone === 'AH0' && /^u?[eiy]$/.test(letterOf(vowel)) && !SYLLABIC.has(phones[index + 1] ?? '');
    return isWeakI ? 'IH0' : phone;
  });
  return changed.some((phone, index) => phone !== phones[index]) ? changed : null;
}

/** Before “k” and “g”, as in “include”, “n” may become “ng”. */
function withAssimilation(phones: readonly StressedPhone[]): StressedPhone[] | null {
  const changed = phones.map((phone, at) => (phone === 'N' && /^[KG]$/.test(phones[at + 1] ?? '') ? 'NG' : phone));
  return changed.includes('NG') && changed.some((phone, at) => phone !== phones[at]) ? changed : null;
}

/** British speakers say no “r” at the end of “teacher” and in “internet”. */
function withoutR(phones: readonly StressedPhone[]): StressedPhone[] | null {
  const changed = phones.map((phone, at) => (phone === 'ER0' && !isVowel(phones[at + 1] ?? '') ? 'AH0' : phone));
  return changed.some((phone, at) => phone !== phones[at]) ? changed : null;
}

/** British speakers shorten the end of “category”, and American ones “dictionary” sometimes. */
function withShortEnding(phones: readonly StressedPhone[]): StressedPhone[] | null {
  const changed = phones.join(' ').replace(/ (?:EH|AO)[12] R IY0$/, ' AH0 R IY0');
  return phones.length > 5 && changed !== phones.join(' ') ? changed.split(' ') : null;
}

/** British speakers, and some American ones, say the vowel of “trap” before the double “r” of “embarrass” and in “clarity”. */
function withShortA(word: string, phones: readonly StressedPhone[]): StressedPhone[] | null {
  if (!SHORT_A_BEFORE_R.test(word)) return null;
  const at = phones.findIndex((phone, index) => phone.startsWith('EH') && phones[index + 1] === 'R');
  return at < 0 ? null : phones.map((phone, index) => (index === at ? phone.replace('EH', 'AE') : phone));
}

/** “Arrange” begins as “about” does. */
function withWeakStart(phones: readonly StressedPhone[]): StressedPhone[] | null {
  return phones[0] === 'ER0' && isVowel(phones[1] ?? '') ? ['AH0', 'R', ...phones.slice(1)] : null;
}

/** “Actual” and “gradually” lose their “w” in most voices. */
function withoutW(phones: readonly StressedPhone[]): StressedPhone[] | null {
  const changed = phones.join(' ').replace(/ (CH|JH|ZH|SH) AH0 W AH0 L\b/, ' $1 AH0 L');
  return changed === phones.join(' ') ? null : changed.split(' ');
}

/** `known` are the word's pronunciations in the dictionary. */
export function missingPronunciations(word: string, known: readonly (readonly StressedPhone[])[]): StressedPhone[][] {
  const [broad] = BROAD_A.test(word) ? known.map(withBroadA).filter((phones) => phones !== null) : [];
  const reduced = [
    (phones: readonly StressedPhone[]) => withShortA(word, phones),
    (phones: readonly StressedPhone[]) => withWeakI(word, phones),
    withAssimilation,
    withoutR,
    withoutW,
    withWeakStart,
    withShortEnding,
  ].flatMap((reduce) => known.map(reduce).filter((phones) => phones !== null));
  const broadened = broad === undefined ? [] : [broad, withWeakI(word, broad) ?? broad];
  const spelled = new Set(known.map((phones) => phones.join(' ')));
  const missing = [...(LISTED.get(word) ?? []), ...broadened, ...reduced].map((phones) => phones.join(' '));
  return [...new Set(missing)].filter((phones) => !spelled.has(phones)).map((phones) => phones.split(' '));
}
