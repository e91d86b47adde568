/** What the experts would say of a piece: every network's features through the trees, and through the model that sees all of it. */
import type { AlignedWord } from '../align/align.ts';
import { pronunciationFeatures, withPhoneScores } from '../features/pronunciation-features.ts';
import type { Piece } from './pieces.ts';
import type { ScorerModel } from './scorer-model.ts';

/** On the experts' scales, unrounded. */
export interface PieceScores {
  /** 0-2, one a phone in order. */
  phones: number[];
  /** Probability that another sound was said, one a phone. */
  exchanged: number[];
  /** 0-10, one an aligned word. */
  words: number[];
  /** 0-10. */
  accuracy: number;
  fluency: number;
  prosody: number;
}

/** What the sequence model weighs beside the trees: together they agree better with the experts than either alone. */
const WEIGHT_OF_PARTS = 0.2;
const WEIGHT_OF_SENTENCE = 0.5;

export async function scorePiece(
  { hearing, mel, alignment }: Piece,
  { trees, sequence }: ScorerModel,
): Promise<PieceScores> {
  const features = hearing.networks.map((network) => pronunciationFeatures(network, alignment, mel));
  const own = features.map((each): PieceScores => {
    const phones = each.phones.map((row) => trees.phone.predict(row));
    const stacked = withPhoneScores(each, alignment, phones);
    return {
      phones,
      exchanged: each.phones.map((row) => trees.exchanged.predict(row)),
      words: stacked.words.map((row) => trees['word-accuracy'].predict(row)),
      accuracy: trees['sentence-accuracy'].predict(stacked.utterance),
      fluency: trees['sentence-fluency'].predict(stacked.utterance),
      prosody: trees['sentence-prosody'].predict(stacked.utterance),
    };
  });
  const whole = await sequence.run(
    features,
    alignment.words.map(({ phones }) => phones.length),
  );
  const mean = (of: (score: PieceScores) => number): number =>
    own.reduce((sum, score) => sum + of(score), 0) / own.length;
  const means = (of: (score: PieceScores) => number[]): number[] =>
    (own[0] === undefined ? [] : of(own[0])).map((_, index) => mean((score) => of(score)[index] ?? 0));
  const part = (ofTrees: number, ofSequence = ofTrees): number => ofTrees + WEIGHT_OF_PARTS * (ofSequence - ofTrees);
  const aspect = (name: 'accuracy' | 'fluency' | 'prosody'): number => {
    const ofTrees = mean((score) => score[name]);
    return ofTrees + WEIGHT_OF_SENTENCE * (whole[name] - ofTrees);
  };
  return {
    phones: means((score) => score.phones).map((score, index) => part(score, whole.phones[index])),
    exchanged: means((score) => score.exchanged),
    words: means((score) => score.words).map((score, index) => part(score, whole.words[index])),
    accuracy: aspect('accuracy'),
    fluency: aspect('fluency'),
    prosody: aspect('prosody'),
  };
}

export interface UtteranceScores {
  phones: number[];
  exchanged: number[];
  words: number[];
  accuracy: number;
  fluency: number;
  /** Null when no piece has enough words to tell. */
  prosody: number | null;
}

/** Pieces put together as a session's turns are: accuracy and prosody weighted by words, fluency by speaking time. */
export function mergePieces(
  pieces: readonly { words: readonly AlignedWord[]; scores: PieceScores }[],
  { minWordsForProsody }: { minWordsForProsody: number },
): UtteranceScores {
  const weighted = (value: (scores: PieceScores) => number, weight: (words: readonly AlignedWord[]) => number) => {
    const weights = pieces.map(({ words }) => weight(words));
    const sum = weights.reduce((total, each) => total + each, 0);
    return sum === 0
      ? null
      : pieces.reduce((total, { scores }, index) => total + value(scores) * (weights[index] ?? 0), 0) / sum;
  };
  const speakingFrames = (words: readonly AlignedWord[]): number =>
    (words.at(-1)?.phones.at(-1)?.lastFrame ?? 0) - (words[0]?.phones[0]?.firstFrame ?? 0) + 1;
  return {
    phones: pieces.flatMap(({ scores }) => scores.phones),
    exchanged: pieces.flatMap(({ scores }) => scores.exchanged),
    words: pieces.flatMap(({ scores }) => scores.words),
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
