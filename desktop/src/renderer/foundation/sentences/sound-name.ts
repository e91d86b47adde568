/** Names a sound by its symbol and an English word that contains it, for readers without phonetics. */
import { t } from '@parley/i18n';

/** These names are not translated, because what is practised stays English. */
const WORD_WITH_SOUND: Readonly<Record<string, string>> = {
  θ: 'three', ð: 'this', ɹ: 'red', l: 'late', v: 'very', w: 'we', z: 'zero', s: 'see', ʃ: 'she', ʒ: 'usually', tʃ: 'check', dʒ: 'job',
  ŋ: 'long', n: 'no', m: 'me', i: 'see', ɪ: 'it', ɛ: 'let', æ: 'plan', ɑ: 'got', ɔ: 'law', ʌ: 'much', ə: 'about', ɝ: 'turn', ɚ: 'later',
  u: 'soon', ʊ: 'good', eɪ: 'day', aɪ: 'time', oʊ: 'go', aʊ: 'how', ɔɪ: 'boy', p: 'plan', b: 'but', t: 'team', d: 'day', k: 'cost',
  ɡ: 'go', f: 'five', h: 'here', j: 'yes',
}; // prettier-ignore

/** A common word with this sound; undefined for a sound without one. */
export const wordWithSound = (phoneme: string): string | undefined => WORD_WITH_SOUND[phoneme];

/** For example `/θ/ as in “three”`; the symbol alone for a sound without an example. */
export function soundName(phoneme: string): string {
  const word = WORD_WITH_SOUND[phoneme];
  return word === undefined ? `/${phoneme}/` : t('/{phoneme}/ as in “{word}”', { phoneme, word });
}
