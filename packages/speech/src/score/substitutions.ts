/**
 * Lowers the score of a phone by how probably another phone, or none, was said, and names the other phone if it is
 * probable enough.
 */
import { type PhonemeAssessment, roundScore } from '@parley/domain';
import type { Rival } from '../contrast/find-rivals.ts';
import { ipaOf } from '../pronounce/phones.ts';

/**
 * In a sentence, a phone loses points around this log-odds of an exchange. 3 in 100 phones that experts call good then
 * score below 70. A lower value finds more exchanges but agrees less with experts. `training/cross_validate.py` repeats
 * these numbers and measures them.
 */
const EXCHANGE_LOG_ODDS = -1.5;
/** The loss grows over this range of log-odds, centred on the value above. */
const EXCHANGE_RANGE = 1.5;
/** On the experts' scale of 0-2. */
const EXCHANGE_LOSS = 0.45;
/**
 * The weight of the worst sound in the score of a word in a sentence; the rest is the word's own. It costs 0.003 of
 * agreement with experts, but compared with a weight of a quarter, a wrong sound lowers its word by ten points in two
 * to three more cases in a hundred.
 */
const WORST_SOUND_WEIGHT_IN_SENTENCE = 0.35;
/** From this probability on the learner is told which sound was recognised; the model card gives the accuracy. */
const MIN_NAMED_IN_SENTENCE = 0.5;

/**
 * The log-likelihood from which an ending may have been left out, and that at which it certainly was; in between, the limit of its score falls. Of the
 * words of native readers that end in “s”, none reaches the middle; see `training/EXPERIMENTS.md`.
 */
const LEFT_OUT_FROM = 4;
const SURELY_LEFT_OUT = 7;
/** The maximum score of an ending that was certainly left out, on the experts' scale of 0-2. */
const LEFT_OUT_LIMIT = 0.8;
const BEST_SCORE = 2;

/** The value of `confusedNumbers` at which another number was certainly said. Up to it, the limits fall. */
const SURELY_CONFUSED = 2.5;
/** The maximum scores of the sound in which the two numbers differ, on the experts' scale, and of the word, which means something else. */
const CONFUSED_LIMIT = 0.8;
const CONFUSED_WORD_LIMIT = 55;
const BEST_WORD = 100;

/** In a single word: the log-odds that a phone was exchanged for its rival, before any evidence from the audio. */
const SINGLE_WORD_PRIOR_LOG_ODDS = -1;
/**
 * The highest score of a phone or a single word with this probability of an exchange; in between, the limits are
 * interpolated. They are stricter than in a sentence, because a single word is practised for the sake of a hard sound.
 */
const SINGLE_WORD_LIMITS = [
  { probability: 0.27, phone: 100, word: 100 },
  { probability: 0.5, phone: 75, word: 85 },
  { probability: 0.73, phone: 55, word: 59 },
  { probability: 0.95, phone: 30, word: 40 },
] as const;
const MIN_NAMED_IN_SINGLE_WORD = 0.73;
/** The weight of the worst sound in the score of a single word; the rest is the word's own. */
const WORST_SOUND_WEIGHT_IN_SINGLE_WORD = 0.5;

type PhoneScore = Pick<PhonemeAssessment, 'accuracy' | 'heardAs'>;

export interface WordScores {
  /** 0-2, the experts' scale. */
  phones: readonly number[];
  /** The log-odds that each phone was exchanged. */
  exchanges: readonly number[];
  /** The log-likelihood that the ending to which each phone belongs was left out; none where that is not judged. */
  leftOut: readonly number[];
  /** How strongly each phone shows that another number was said, see `confusedTeens`; empty where that is not judged. */
  confusedNumbers: readonly number[];
  /** Whether a further digit made it another number, for which no phone is to blame. */
  hasFurtherDigit?: boolean;
  /** The confusable phones of each phone, most likely first. */
  rivals: readonly (readonly Rival[])[];
  /** 0-10, the experts' scale. */
  word: number;
}

const probabilityOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Scores of 0 to 100. */
export function lowerByExchanges(
  scores: WordScores,
  { isSingleWord }: { isSingleWord: boolean },
): { phones: PhoneScore[]; word: number } {
  const { phones, word } = isSingleWord ? lowerSingleWord(scores) : lowerInSentence(scores);
  const doubt = scores.hasFurtherDigit === true ? SURELY_CONFUSED : Math.max(0, ...scores.confusedNumbers);
  return { phones, word: Math.min(word, roundScore(limitOf(doubt, BEST_WORD, CONFUSED_WORD_LIMIT))) };
}

/**
 * The points that a word of a sentence lost to a left-out ending or another number. The models that score the whole
 * sentence know nothing of them.
 */
export function lostToRules(scores: WordScores): number {
  const inSentence = { isSingleWord: false };
  const withoutRules = lowerByExchanges(
    { ...scores, leftOut: [], confusedNumbers: [], hasFurtherDigit: false },
    inSentence,
  );
  return withoutRules.word - lowerByExchanges(scores, inSentence).word;
}

/** Falls from the best score to the lowest as a confusion becomes certain. */
const limitOf = (doubt: number, best: number, lowest: number): number =>
  best + Math.min(1, doubt / SURELY_CONFUSED) * (lowest - best);

/** The maximum score of a phone that was left out, or that makes the word another number. */
const limitOfPhone = ({ leftOut, confusedNumbers }: WordScores, at: number): number =>
  Math.min(leftOutLimit(leftOut[at]), limitOf(confusedNumbers[at] ?? 0, BEST_SCORE, CONFUSED_LIMIT));

function leftOutLimit(logRatio = -Infinity): number {
  const share = Math.min(1, Math.max(0, (logRatio - LEFT_OUT_FROM) / (SURELY_LEFT_OUT - LEFT_OUT_FROM)));
  return BEST_SCORE + share * (LEFT_OUT_LIMIT - BEST_SCORE);
}

function lowerInSentence(scores: WordScores): { phones: PhoneScore[]; word: number } {
  const { phones, exchanges, rivals, word } = scores;
  const lowered = phones.map((score, at): PhoneScore => {
    const logOdds = exchanges[at] ?? -Infinity;
    const share = Math.min(1, Math.max(0, (logOdds - EXCHANGE_LOG_ODDS) / EXCHANGE_RANGE + 0.5));
    const lowest = Math.min(score - EXCHANGE_LOSS * share, limitOfPhone(scores, at));
    const accuracy = roundScore(Math.max(0, lowest) * 50);
    return withHeardSound(accuracy, rivals[at], probabilityOf(logOdds), MIN_NAMED_IN_SENTENCE);
  });
  return { phones: lowered, word: followWorst(word * 10, lowered, WORST_SOUND_WEIGHT_IN_SENTENCE) };
}

function lowerSingleWord(scores: WordScores): { phones: PhoneScore[]; word: number } {
  const { phones, rivals, word } = scores;
  const likeliest = rivals.map(([rival]) =>
    rival === undefined ? 0 : probabilityOf(rival.logOdds + SINGLE_WORD_PRIOR_LOG_ODDS),
  );
  const lowered = phones.map((score, at): PhoneScore => {
    const probability = likeliest[at] ?? 0;
    const accuracy = roundScore(Math.min(score * 50, limitAt(probability).phone, limitOfPhone(scores, at) * 50));
    return withHeardSound(accuracy, rivals[at], probability, MIN_NAMED_IN_SINGLE_WORD);
  });
  // A word is no better than its worst exchange allows.
  const own = Math.min(word * 10, limitAt(Math.max(0, ...likeliest)).word);
  return { phones: lowered, word: followWorst(own, lowered, WORST_SOUND_WEIGHT_IN_SINGLE_WORD) };
}

function followWorst(own: number, phones: readonly PhoneScore[], weight: number): number {
  const worst = Math.min(own, ...phones.map(({ accuracy }) => accuracy ?? own));
  return roundScore(own + weight * (worst - own));
}

/** Names the likeliest rival when an exchange is probable enough. */
function withHeardSound(
  accuracy: number,
  rivals: readonly Rival[] | undefined,
  probability: number,
  minProbability: number,
): PhoneScore {
  const [rival] = rivals ?? [];
  if (rival === undefined || probability < minProbability) return { accuracy };
  return { accuracy, heardAs: [{ phoneme: ipaOf(rival.output), likelihood: Math.round(probability * 100) / 100 }] };
}

function limitAt(probability: number): { phone: number; word: number } {
  const limits: readonly { probability: number; phone: number; word: number }[] = SINGLE_WORD_LIMITS;
  const above = limits.findIndex((limit) => limit.probability >= probability);
  const upper = limits[above] ?? limits.at(-1);
  const lower = limits[above - 1];
  if (upper === undefined) return { phone: 100, word: 100 };
  if (above < 0 || lower === undefined) return upper;
  const share = (probability - lower.probability) / (upper.probability - lower.probability);
  return {
    phone: lower.phone + share * (upper.phone - lower.phone),
    word: lower.word + share * (upper.word - lower.word),
  };
}
