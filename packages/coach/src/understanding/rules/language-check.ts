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
    'entiendo comprendo hablo español ayuda puedo puede necesito cuánto cuesta mañana hoy ayer señor señora bueno buenas días tardes noches eres hace tú sé él más ' +
    'ella nosotros usted mucho mucha ahora aquí quisiera gustaría trabajo años decir saber ' +
    'parle français comprends veux voudrais peux besoin aussi mais mes votre cette plaît toi lui elle ils elles alors parce depuis demain hier beaucoup être ' +
    'fait fais aux quel quelle combien ici bien rien tout faire sais peut ' +
    'ja nein kein keine verstehe weiß kann möchte brauche habe hast sind wie warum deutsch bitte zu ' +
    'é sim minha meu um falo inglês entendo preciso sei capisco sono mio bene parlo inglese aiuto rozumiem proszę mam chcę yardım istiyorum ' +
    'gusta caro cara fue bueno habitación noche reserva cuarto precio semana creo vivo llamo vengo tengo tiene tienen quiere vale claro ' +
    'lunes martes miércoles jueves viernes sábado domingo cuatro cinco siete ocho nueve diez trabajar persona ' +
    'deux trois quatre huit neuf semaine lundi mardi mercredi jeudi vendredi samedi dimanche chambre travail travaille heure heures jours ' +
    'zwei drei vier fünf sechs sieben acht neun zehn woche montag dienstag mittwoch donnerstag freitag samstag sonntag zimmer arbeite komme uhr ' +
    'camera notte giorno lunedì martedì mercoledì giovedì venerdì quanto costa lavoro vorrei piace quarto noite preço semana segunda trabalho ' +
    'xin chào cảm ơn tôi không namaste main hai mera nahi aap kya'
  ).split(' '),
);

/** Frequent words of other languages that the English vocabulary contains too, in names or as abbreviations. */
const SHARED_WORDS: ReadonlySet<string> = new Set(
  'me la el en mi si un le de et du ne pas on il al del das es er per di ho com se da do as os ma va no ai au mon ton mal comment dire non est y a e o'.split(
    ' ',
  ),
);
/** "J'ai", "l'eau", "n'est", but not "d'you". */
const ELISION = /(?<![\p{L}'’])(?:j|qu|n|l|c)['’](?=[aeiouyéêh]\p{L})/giu;

/** The English vocabulary has "Muller" and "cafe" for "Müller" and "café". */
const withoutAccents = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Recognisers and hasty writers leave accents out: "habitacion". */
const WITHOUT_ACCENTS: ReadonlySet<string> = new Set(
  [...FOREIGN_WORDS].map(withoutAccents).filter((word) => rankOfWord(word) === undefined),
);
const isOfOtherLanguage = (word: string): boolean => FOREIGN_WORDS.has(word) || WITHOUT_ACCENTS.has(word);

/** "Ben" and "Ho" are names as well as foreign words, so words that also occur in English texts are excluded. */
export const isForeignWord = (word: string): boolean => isOfOtherLanguage(word) && rankOfWord(word) === undefined;

export interface LanguageCheck {
  isEnglish: boolean;
  /** Whether it is in another language. One unknown word, such as a name or a swear word, is not enough. */
  isForeign: boolean;
  /** The share of words that neither the English vocabulary nor the scene contains, 0-1. */
  unknownShare: number;
}

const MAX_OTHER_SCRIPT = 0.3;
const MIN_FOREIGN_WORDS = 2;
const MAX_UNKNOWN_SHARE = 0.5;

/** Short sentences such as "no entiendo" have few of those words, but no word that is only English either. */
function hasNoEnglishWord(text: string, words: readonly string[], isKnown: (word: string) => boolean): boolean {
  const elisions = text.match(ELISION)?.length ?? 0;
  const foreign = words.filter((word) => isForeignWord(word)).length + elisions;
  const shared = words.filter((word) => SHARED_WORDS.has(word)).length;
  const unknown = words.filter((word) => word.length > 1 && !isKnown(word) && !isForeignWord(word)).length;
  const isPure = words.every(
    (word) => word.length === 1 || SHARED_WORDS.has(word) || isForeignWord(word) || !isKnown(word),
  );
  return isPure && words.length > 1 && (foreign > 0 || (unknown > 1 && shared > 0) || (unknown > 0 && shared > 2));
}

/** In "mi hotel es super caro", "hotel" and "super" are English too. */
const MAX_ENGLISH_SHARE = 0.4;
const MIN_WORDS_OF_OTHER = 3;

function isMixed(words: readonly string[]): boolean {
  const foreign = words.filter(isForeignWord).length;
  const other = words.filter((word) => isForeignWord(word) || SHARED_WORDS.has(word)).length;
  const english = words.filter((word) => rankOfWord(word) !== undefined && !SHARED_WORDS.has(word)).length;
  return foreign > 0 && other >= MIN_WORDS_OF_OTHER && english <= words.length * MAX_ENGLISH_SHARE;
}

/** `isKnownHere` accepts words of the scene, such as names and technical terms. */
export function checkLanguage(text: string, isKnownHere: (word: string) => boolean): LanguageCheck {
  const letters = text.match(LETTER)?.length ?? 0;
  const otherLetters = text.match(OTHER_SCRIPT)?.length ?? 0;
  const words = comparableWords(text).filter((word) => !/\d/.test(word));
  const isKnown = (word: string): boolean => rankOfWord(withoutAccents(word)) !== undefined || isKnownHere(word);
  const unknown = words.filter((word) => word.length > 1 && !isKnown(word));
  const foreign = words.filter((word) => isOfOtherLanguage(word) && !isKnownHere(word));
  const unknownShare = words.length === 0 ? 0 : unknown.length / words.length;
  const isOtherScript = letters > 0 && otherLetters / letters > MAX_OTHER_SCRIPT;
  const isMostlyForeign = foreign.length >= MIN_FOREIGN_WORDS && foreign.length + unknown.length > words.length / 2;
  const isWithoutEnglish = hasNoEnglishWord(text, words, isKnown) || isMixed(words);
  const isEnglish = !isOtherScript && !isMostlyForeign && !isWithoutEnglish && unknownShare <= MAX_UNKNOWN_SHARE;
  const isForeign = !isEnglish && (isOtherScript || foreign.length > 0 || unknown.length > 1 || isWithoutEnglish);
  return { isEnglish, isForeign, unknownShare };
}
