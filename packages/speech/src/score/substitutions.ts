/** Lowers the scores of a phone and its word by how probably another phone was said, and names that phone when it is sure enough. */
import { type PhonemeAssessment, roundScore } from '@parley/domain';
import type { Rival } from '../contrast/find-rivals.ts';
import { ipaOf } from '../pronounce/phones.ts';

interface Judgement {
  /** The log-odds that a phone was exchanged, before anything was heard. */
  priorLogOdds: number;
  /** The most that a phone or word can score with this probability of an exchange; in between, the limits are interpolated. */
  limits: readonly { probability: number; phone: number; word: number }[];
}

/** Within a sentence, experts forgive most of what the networks take for another phone: stricter limits agreed less with them. */
const IN_SENTENCE: Judgement = {
  priorLogOdds: -4,
  limits: [
    { probability: 0.72, phone: 100, word: 100 },
    { probability: 0.73, phone: 70, word: 100 },
    { probability: 0.99, phone: 60, word: 90 },
  ],
};
/** A single word is practised because of a sound that is hard. */
const SINGLE_WORD: Judgement = {
  priorLogOdds: -1,
  limits: [
    { probability: 0.27, phone: 100, word: 100 },
    { probability: 0.5, phone: 75, word: 85 },
    { probability: 0.73, phone: 55, word: 59 },
    { probability: 0.95, phone: 30, word: 40 },
  ],
};
/** From this probability on the learner is told which sound was heard; the model card gives the accuracy. */
const MIN_NAMED_PROBABILITY = 0.73;

type PhoneScore = Pick<PhonemeAssessment, 'accuracy' | 'heardAs'>;

/** `phones` are 0-2 and `word` 0-10, the experts' scales; `rivals` belong to the same phones. */
export function limitByRivals(
  scores: { phones: readonly number[]; word: number },
  rivals: readonly (readonly Rival[])[],
  { isSingleWord }: { isSingleWord: boolean },
): { phones: PhoneScore[]; word: number } {
  const { priorLogOdds, limits } = isSingleWord ? SINGLE_WORD : IN_SENTENCE;
  const probabilityOf = ({ logOdds }: Rival): number => 1 / (1 + Math.exp(-(logOdds + priorLogOdds)));
  const likeliest = rivals.map(([rival]) => (rival === undefined ? 0 : probabilityOf(rival)));
  const phones = scores.phones.map((score, at): PhoneScore => {
    const accuracy = roundScore(Math.min(score * 50, limitAt(limits, likeliest[at] ?? 0).phone));
    const heardAs = (rivals[at] ?? [])
      .slice(0, 1)
      .map((rival) => ({ phoneme: ipaOf(rival.output), likelihood: Math.round(probabilityOf(rival) * 100) / 100 }))
      .filter(({ likelihood }) => likelihood >= MIN_NAMED_PROBABILITY);
    return heardAs.length === 0 ? { accuracy } : { accuracy, heardAs };
  });
  // A word is no better than its worst exchange allows.
  return { phones, word: roundScore(Math.min(scores.word * 10, limitAt(limits, Math.max(0, ...likeliest)).word)) };
}

function limitAt(limits: Judgement['limits'], probability: number): { phone: number; word: number } {
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
