/** Detects text that is not English: other scripts, function words of other languages, and strings that are not words. */
import { comparableWords } from '../../text/comparable-words.ts';
import { rankOfWord } from '../classification/word-vectors.ts';

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/gu;
const LETTER = /\p{L}/gu;

/** Frequent words of other languages in Latin script that are not English words. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  (
    'que qué los las una uno por para pero esta está estoy como cómo muy porque tengo quiero gracias hola también donde dónde cuando nada ' +
    'não uma com mas você voce isso muito obrigado obrigada estou tenho quero hoje onde ' +
    'je tu vous nous est sont une des les dans avec pour pas très merci bonjour suis oui quoi ' +
    'ich und der das ist nicht ein eine mit für auch aber wir sie haben habe bin danke guten morgen heute ' +
    'il gli che sono perché grazie ciao anche questo questa della voglio ho ' +
    'jestem nie tak dziękuję dzień dobry jak czy się ' +
    'ben bir bu ve için değil teşekkür merhaba evet hayır çok ' +
    'xin chào cảm ơn tôi không namaste main hai mera nahi aap kya'
  ).split(' '),
);

/** "Ben" and "Ho" are names as well as foreign words, so words that also occur in English texts are excluded. */
export const isForeignWord = (word: string): boolean => FOREIGN_WORDS.has(word) && rankOfWord(word) === undefined;

export interface LanguageCheck {
  isEnglish: boolean;
  /** Whether it is in another language. One unknown word, such as a name or a swear word, is not enough. */
  isForeign: boolean;
  /** The share of words that neither the English vocabulary nor the scene contains, 0-1. */
  unknownShare: number;
}

/** The English vocabulary has "Muller" and "cafe" for "Müller" and "café". */
const withoutAccents = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '');

const MAX_OTHER_SCRIPT = 0.3;
const MIN_FOREIGN_WORDS = 2;
const MAX_UNKNOWN_SHARE = 0.5;

/** `isKnownHere` accepts words of the scene, such as names and technical terms. */
export function checkLanguage(text: string, isKnownHere: (word: string) => boolean): LanguageCheck {
  const letters = text.match(LETTER)?.length ?? 0;
  const otherLetters = text.match(OTHER_SCRIPT)?.length ?? 0;
  const words = comparableWords(text).filter((word) => !/\d/.test(word));
  const isKnown = (word: string): boolean => rankOfWord(withoutAccents(word)) !== undefined || isKnownHere(word);
  const unknown = words.filter((word) => word.length > 1 && !isKnown(word));
  const foreign = words.filter((word) => FOREIGN_WORDS.has(word) && !isKnownHere(word));
  const unknownShare = words.length === 0 ? 0 : unknown.length / words.length;
  const isOtherScript = letters > 0 && otherLetters / letters > MAX_OTHER_SCRIPT;
  const isMostlyForeign = foreign.length >= MIN_FOREIGN_WORDS && foreign.length + unknown.length > words.length / 2;
  const isEnglish = !isOtherScript && !isMostlyForeign && unknownShare <= MAX_UNKNOWN_SHARE;
  const isForeign = !isEnglish && (isOtherScript || foreign.length > 0 || unknown.length > 1);
  return { isEnglish, isForeign, unknownShare };
}
