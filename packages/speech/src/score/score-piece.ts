/** What the experts would say of a piece: every network's features through the scorer, and the mean of what comes of them. */
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

export function scorePiece({ hearing, mel, alignment }: Piece, scorer: ScorerModel): PieceScores {
  const scores = hearing.networks.map((network): PieceScores => {
    const features = pronunciationFeatures(network, alignment, mel);
    const phones = features.phones.map((row) => scorer.phone.predict(row));
    const stacked = withPhoneScores(features, alignment, phones);
    return {
      phones,
      exchanged: features.phones.map((row) => scorer.exchanged.predict(row)),
      words: stacked.words.map((row) => scorer['word-accuracy'].predict(row)),
      accuracy: scorer['sentence-accuracy'].predict(stacked.utterance),
      fluency: scorer['sentence-fluency'].predict(stacked.utterance),
      prosody: scorer['sentence-prosody'].predict(stacked.utterance),
    };
  });
  const mean = (of: (score: PieceScores) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  const means = (of: (score: PieceScores) => number[]): number[] =>
    (scores[0] === undefined ? [] : of(scores[0])).map((_, index) => mean((score) => of(score)[index] ?? 0));
  return {
    phones: means((score) => score.phones),
    exchanged: means((score) => score.exchanged),
    words: means((score) => score.words),
    accuracy: mean((score) => score.accuracy),
    fluency: mean((score) => score.fluency),
    prosody: mean((score) => score.prosody),
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
