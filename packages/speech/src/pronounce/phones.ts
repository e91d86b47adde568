/** The 39 phones of the CMU set with their IPA, in the order of the acoustic model's outputs (output 0 is the blank). */

export const BLANK = 0;

/** Alphabetical: output `i + 1` of the model is `PHONES[i]`. */
export const PHONES = [
  'AA', 'AE', 'AH', 'AO', 'AW', 'AY', 'B', 'CH', 'D', 'DH', 'EH', 'ER', 'EY', 'F', 'G', 'HH', 'IH', 'IY', 'JH', 'K',
  'L', 'M', 'N', 'NG', 'OW', 'OY', 'P', 'R', 'S', 'SH', 'T', 'TH', 'UH', 'UW', 'V', 'W', 'Y', 'Z', 'ZH',
] as const; // prettier-ignore
export type Phone = (typeof PHONES)[number];

export const OUTPUTS: number = PHONES.length + 1;

const outputByPhone: ReadonlyMap<string, number> = new Map(PHONES.map((phone, index) => [phone, index + 1]));

const IPA_BY_PHONE: Record<Phone, string> = {
  AA: 'ɑ', AE: 'æ', AH: 'ʌ', AO: 'ɔ', AW: 'aʊ', AY: 'aɪ', B: 'b', CH: 'tʃ', D: 'd', DH: 'ð', EH: 'ɛ', ER: 'ɝ', EY: 'eɪ',
  F: 'f', G: 'ɡ', HH: 'h', IH: 'ɪ', IY: 'i', JH: 'dʒ', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ŋ', OW: 'oʊ', OY: 'ɔɪ', P: 'p',
  R: 'ɹ', S: 's', SH: 'ʃ', T: 't', TH: 'θ', UH: 'ʊ', UW: 'u', V: 'v', W: 'w', Y: 'j', Z: 'z', ZH: 'ʒ',
}; // prettier-ignore

/** A phone from the dictionary, with a stress digit 0-2 on vowels: `AH0`, `T`. */
export type StressedPhone = string;

/** Looks up a lower-case word and returns its pronunciations, most likely first. */
export type PronouncingDictionary = (word: string) => readonly (readonly StressedPhone[])[];

export const withoutStress = (phone: StressedPhone): string => phone.replace(/\d$/, '');

/** The acoustic model's output for a phone; undefined for anything else. */
export const outputOf = (phone: StressedPhone): number | undefined => outputByPhone.get(withoutStress(phone));

/** The IPA of an output. Unstressed AH becomes a schwa, and unstressed ER its short form. */
export function ipaOf(output: number, phone?: StressedPhone): string {
  if (phone === 'AH0') return 'ə';
  if (phone === 'ER0') return 'ɚ';
  const name = PHONES[output - 1];
  return name === undefined ? '' : IPA_BY_PHONE[name];
}

const VOWELS: ReadonlySet<string> = new Set([
  'AA', 'AE', 'AH', 'AO', 'AW', 'AY', 'EH', 'ER', 'EY', 'IH', 'IY', 'OW', 'OY', 'UH', 'UW',
]); // prettier-ignore
export const isVowel = (output: number): boolean => VOWELS.has(PHONES[output - 1] ?? '');
