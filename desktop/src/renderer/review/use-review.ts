/** The state of one review: its cards, what was said, the grades, and undo. */
import type { DrillAttempt, ReviewWord } from '@parley/contract';
import { type ReviewGrade, suggestGrade } from '@parley/domain';
import { useMutation } from '@tanstack/react-query';
import { useReducer } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { cardOf, type FinishedCard, reduceReview, type ReviewProgress, type SpokenWord } from './review-progress.ts';
import { type ReviewStage, stagesOf } from './review-stages.ts';

export interface ReviewState {
  progress: ReviewProgress;
  cards: readonly ReviewWord[];
  finished: readonly FinishedCard[];
  /** Null at the end. */
  card: ReviewWord | null;
  stage: ReviewStage;
  nextStage: ReviewStage | null;
  spoken: SpokenWord | null;
  /** Null until the word has been scored; then its most recent score, from any stage. */
  suggestion: ReviewGrade | null;
  error: unknown;
  isSaving: boolean;
  /** Applies what was said for a card, unless another card is on screen by now. */
  onSpoken: (card: ReviewWord, attempt: DrillAttempt) => void;
  goToNextStage: () => void;
  /** Postpones the card, ungraded, until the others are done. The last card leaves the review, and stays due. */
  postpone: () => void;
  grade: (grade: ReviewGrade) => void;
  undo: () => void;
}

export function useReview(initial: ReviewProgress): ReviewState {
  const { client } = useHost();
  const [progress, dispatch] = useReducer(reduceReview, initial);
  const { cards, finished, stageIndex, spoken, accuracy } = progress;
  const card = cardOf(progress);
  const stages = stagesOf(card ?? { word: '', sentence: null });
  const grading = useMutation({
    mutationFn: async (graded: Omit<FinishedCard, 'attemptId' | 'due'>): Promise<FinishedCard> => {
      const { card: of, grade, accuracy } = graded;
      return { ...graded, ...(await client.review.grade({ word: of.word, grade, accuracy })) };
    },
    onSuccess: (done) => dispatch({ type: 'graded', done }),
  });
  const undoing = useMutation({
    mutationFn: ({ attemptId }: FinishedCard) => client.review.undo({ attemptId }),
    onSuccess: () => dispatch({ type: 'undone' }),
  });
  const last = finished.at(-1);
  const isSaving = grading.isPending || undoing.isPending;
  return {
    progress,
    cards,
    finished,
    card,
    stage: stages[stageIndex] ?? { name: 'word', text: '' },
    nextStage: stages[stageIndex + 1] ?? null,
    spoken,
    suggestion: accuracy === null ? null : suggestGrade(accuracy),
    error: grading.error ?? undoing.error,
    isSaving,
    onSpoken: (of, attempt) => dispatch({ type: 'spoken', card: of, attempt }),
    goToNextStage: () => dispatch({ type: 'next_stage' }),
    postpone: () => {
      if (!isSaving) dispatch({ type: 'postponed' });
    },
    grade: (grade) => {
      if (card !== null && accuracy !== null && !isSaving) grading.mutate({ card, grade, accuracy });
    },
    undo: () => {
      if (last !== undefined && !isSaving) undoing.mutate(last);
    },
  };
}
