/** The state of a review, and how each event changes it. */
import type { DrillAttempt, ReviewWord } from '@parley/contract';
import { assertNever, type ReviewGrade } from '@parley/domain';
import { putOff } from './review-moves.ts';
import { reviewedWord, type ScoredWordAssessment, stagesOf } from './review-stages.ts';

export interface SpokenWord {
  attempt: DrillAttempt;
  /** Null when the recording could not be scored. */
  word: ScoredWordAssessment | null;
}

export interface FinishedCard {
  card: ReviewWord;
  grade: ReviewGrade;
  accuracy: number;
  attemptId: string;
  /** When the word comes back; null when it has left the list. */
  due: Date | null;
}

export interface ReviewProgress {
  cards: readonly ReviewWord[];
  /** The first of the cards, in this order. */
  finished: readonly FinishedCard[];
  stageIndex: number;
  /** The last attempt in this stage. */
  spoken: SpokenWord | null;
  /** The most recent score of the card, from any stage; null until the word has been scored. */
  accuracy: number | null;
}

export type ReviewEvent =
  | { type: 'spoken'; card: ReviewWord; attempt: DrillAttempt }
  | { type: 'next_stage' }
  | { type: 'graded'; done: FinishedCard }
  | { type: 'undone' }
  | { type: 'postponed' };

export const startReview = (cards: readonly ReviewWord[]): ReviewProgress => ({
  cards,
  finished: [],
  stageIndex: 0,
  spoken: null,
  accuracy: null,
});

/** Null at the end. */
export const cardOf = ({ cards, finished }: ReviewProgress): ReviewWord | null => cards[finished.length] ?? null;

const showCard = ({ cards }: Pick<ReviewProgress, 'cards'>, finished: readonly FinishedCard[]): ReviewProgress => ({
  ...startReview(cards),
  finished,
});

export function reduceReview(progress: ReviewProgress, event: ReviewEvent): ReviewProgress {
  const { cards, finished, stageIndex } = progress;
  const card = cardOf(progress);
  switch (event.type) {
    case 'spoken': {
      // The card was left while its recording was being scored.
      if (event.card !== card) return progress;
      const { assessment } = event.attempt;
      const word = assessment.unusable === undefined ? (reviewedWord(card.word, assessment) ?? null) : null;
      const spoken = { attempt: event.attempt, word };
      return { ...progress, spoken, accuracy: word === null ? progress.accuracy : word.accuracy };
    }
    case 'next_stage':
      if (card === null || stageIndex + 1 >= stagesOf(card).length) return progress;
      return { ...progress, stageIndex: stageIndex + 1, spoken: null };
    case 'graded':
      return showCard(progress, [...finished, event.done]);
    case 'undone':
      return showCard(progress, finished.slice(0, -1));
    case 'postponed':
      return showCard({ cards: putOff(cards, finished.length) }, finished);
    default:
      return assertNever(event);
  }
}
