/**
 * Scores a segment: the tree models and the sequence model score each network's features, and the rivals of each phone
 * are compared.
 */
import type { AlignedWord } from '../align/align.ts';
import { leftOutEndings } from '../align/endings.ts';
import { confusedDigits } from '../align/digits.ts';
import { confusedTeens } from '../align/teens.ts';
import { contrastEvidence, contrastFeatures, findRivals, type Rival } from '../contrast/find-rivals.ts';
import { type Features, phoneRows, utteranceRow, wordRows } from '../features/model-rows.ts';
import { sequenceInputs } from '../features/sequence-inputs.ts';
import { pronunciationFeatures } from '../features/pronunciation-features.ts';
import { sequenceFeatures } from '../features/sequence-features.ts';
import type { SpeechSegment } from './segments.ts';
import type { ScorerModel } from './scorer-model.ts';

/** Scores are on the experts' scales and not rounded. */
export interface SegmentScores {
  /** 0-2, one per phone in order. */
  phones: number[];
  /** The log-odds that each phone was exchanged for another one. */
  exchanges: number[];
  /**
   * The log-likelihood that the ending to which each phone belongs was left out; -Infinity for phones that are in no
   * ending.
   */
  leftOut: number[];
  /** How strongly a phone shows that another number was said, see `confusedTeens`; 0 for all phones but the first one in which the two differ. */
  confusedNumbers: number[];
  /** The confusable phones of each phone, most likely first. */
  rivals: Rival[][];
  /** 0-10, one per aligned word. */
  words: number[];
  /** 0-10. */
  accuracy: number;
  fluency: number;
  prosody: number;
}

/** The sequence model's weight relative to the trees. The combination agrees better with the experts than either model alone. */
const SEQUENCE_WEIGHT = { phone: 0.5, word: 0.3, sentence: 0.65 } as const;

/**
 * The log-odds of a phone that was certainly not exchanged. The detector finds only half as many exchanges in single
 * words as in sentences, and would lower a good word without a sound to blame, so in single words the rivals decide
 * (`lowerByExchanges`).
 */
const SURELY_SAID = -5;

export async function scoreSegment(
  { acousticOutput, mel, alignment }: SpeechSegment,
  { trees, sequence, contrasts }: ScorerModel,
  { inDigits }: { inDigits: ReadonlySet<number> },
): Promise<SegmentScores> {
  const alignedPhones = alignment.words.flatMap((word) => word.phones);
  const evidence = contrastEvidence({ acousticOutput, mel }, alignedPhones);
  const features = acousticOutput.networks.map((network, index): Features => {
    const ratio = evidence.ratios[index] ?? null;
    return {
      placed: pronunciationFeatures(network, alignment, mel),
      sequence: sequenceFeatures(ratio, alignment),
      contrast: contrastFeatures(alignedPhones, { segments: evidence.segments, ratio }, contrasts),
    };
  });
  const networkScores = features.map((each, index): Omit<SegmentScores, 'rivals'> => {
    const rows = phoneRows(each);
    const phones = rows.map((row) => trees.phone.predict(row));
    const exchanges = rows.map((row) => trees.exchange.predict(row));
    const believed = alignment.words.length === 1 ? exchanges.map(() => SURELY_SAID) : exchanges;
    const words = wordRows(each, alignment, { phoneScores: phones, exchanges: believed }).map((row) =>
      trees['word-accuracy'].predict(row),
    );
    const utterance = utteranceRow(each, phones);
    const sequenceEvidence = {
      order: acousticOutput.networks[index]?.order ?? acousticOutput.sounds,
      ratio: evidence.ratios[index] ?? null,
    };
    return {
      phones,
      exchanges,
      leftOut: leftOutEndings(alignment.words, sequenceEvidence),
      confusedNumbers: confusedNumbers(alignment.words, sequenceEvidence, inDigits),
      words,
      accuracy: trees['sentence-accuracy'].predict(utterance),
      fluency: trees['sentence-fluency'].predict(utterance),
      prosody: trees['sentence-prosody'].predict(utterance),
    };
  });
  const sequenceScores = await sequence.run(
    acousticOutput.networks.flatMap((network, index) => {
      const own = features[index];
      return own === undefined ? [] : [sequenceInputs(own, alignedPhones, network)];
    }),
    alignment.words.map(({ phones }) => phones.length),
  );
  const mean = (of: (score: (typeof networkScores)[number]) => number): number =>
    networkScores.reduce((sum, score) => sum + of(score), 0) / networkScores.length;
  const means = (of: (score: (typeof networkScores)[number]) => number[]): number[] =>
    (networkScores[0] === undefined ? [] : of(networkScores[0])).map((_, index) =>
      mean((score) => of(score)[index] ?? 0),
    );
  const blend = (part: keyof typeof SEQUENCE_WEIGHT, ofTrees: number, ofSequence = ofTrees): number =>
    ofTrees + SEQUENCE_WEIGHT[part] * (ofSequence - ofTrees);
  const blendAspect = (name: 'accuracy' | 'fluency' | 'prosody'): number => {
    return blend(
      'sentence',
      mean((score) => score[name]),
      sequenceScores[name],
    );
  };
  return {
    phones: means((score) => score.phones).map((score, index) => blend('phone', score, sequenceScores.phones[index])),
    exchanges: means((score) => score.exchanges),
    leftOut: means((score) => score.leftOut),
    confusedNumbers: means((score) => score.confusedNumbers),
    rivals: findRivals(alignedPhones, evidence, contrasts),
    words: means((score) => score.words).map((score, index) => blend('word', score, sequenceScores.words[index])),
    accuracy: blendAspect('accuracy'),
    fluency: blendAspect('fluency'),
    prosody: blendAspect('prosody'),
  };
}

function confusedNumbers(
  words: readonly AlignedWord[],
  evidence: Parameters<typeof confusedTeens>[1],
  inDigits: ReadonlySet<number>,
): number[] {
  const digits = confusedDigits(words, evidence.order, ({ word }) => inDigits.has(word));
  return confusedTeens(words, evidence).map((teen, at) => Math.max(teen, digits[at] ?? 0));
}

/** On the scales of `SegmentScores`. */
export interface UtteranceScores {
  phones: number[];
  exchanges: number[];
  leftOut: number[];
  confusedNumbers: number[];
  rivals: Rival[][];
  words: number[];
  accuracy: number;
  fluency: number;
  /** Null when no segment has enough words. */
  prosody: number | null;
}

/** Combines segments in the same way as a session combines turns: accuracy and prosody weighted by words, fluency by speaking time. */
export function mergeSegments(
  segments: readonly { words: readonly AlignedWord[]; scores: SegmentScores }[],
  { minWordsForProsody }: { minWordsForProsody: number },
): UtteranceScores {
  const weighted = (value: (scores: SegmentScores) => number, weight: (words: readonly AlignedWord[]) => number) => {
    const weights = segments.map(({ words }) => weight(words));
    const sum = weights.reduce((total, each) => total + each, 0);
    return sum === 0
      ? null
      : segments.reduce((total, { scores }, index) => total + value(scores) * (weights[index] ?? 0), 0) / sum;
  };
  const speakingFrames = (words: readonly AlignedWord[]): number =>
    (words.at(-1)?.phones.at(-1)?.lastFrame ?? 0) - (words[0]?.phones[0]?.firstFrame ?? 0) + 1;
  return {
    phones: segments.flatMap(({ scores }) => scores.phones),
    exchanges: segments.flatMap(({ scores }) => scores.exchanges),
    leftOut: segments.flatMap(({ scores }) => scores.leftOut),
    confusedNumbers: segments.flatMap(({ scores }) => scores.confusedNumbers),
    rivals: segments.flatMap(({ scores }) => scores.rivals),
    words: segments.flatMap(({ scores }) => scores.words),
    accuracy: weighted(
      ({ accuracy }) => accuracy,
      (words) => words.length,
    ) as number,
    fluency: weighted(({ fluency }) => fluency, speakingFrames) as number,
    prosody: weighted(
      ({ prosody }) => prosody,
      (words) => (words.length >= minWordsForProsody ? words.length : 0),
    ),
  };
}
