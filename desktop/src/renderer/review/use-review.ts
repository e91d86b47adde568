/** The state of one review: its cards, what was said, the grades, and undo. */
import type { DrillAttempt, ReviewWord } from '@parley/contract';
import { type ReviewGrade, suggestGrade, type WordAssessment } from '@parley/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { putOff } from './review-moves.ts';
import { type ReviewStage, reviewedWord, stagesOf } from './review-stages.ts';

export interface SpokenWord {
  attempt: DrillAttempt;
  /** Null when the recording could not be scored. */
  word: (WordAssessment & { accuracy: number }) | null;
}

export interface FinishedCard {
  card: ReviewWord;
  grade: ReviewGrade;
  accuracy: number;
  attemptId: string;
}

export interface ReviewState {
  cards: readonly ReviewWord[];
  finished: readonly FinishedCard[];
  /** Null at the end. */
  card: ReviewWord | null;
  stage: ReviewStage;
  nextStage: ReviewStage | null;
  spoken: SpokenWord | null;
  /** Null until the word was scored; from its last score, in whichever stage that was. */
  suggestion: ReviewGrade | null;
  error: unknown;
  isSaving: boolean;
  onSpoken: (attempt: DrillAttempt) => void;
  goToNextStage: () => void;
  /** Leaves the card ungraded until the others are done. The last card leaves the review, and stays due. */
  postpone: () => void;
  grade: (grade: ReviewGrade) => void;
  undo: () => void;
}

export function useReview(initialCards: readonly ReviewWord[]): ReviewState {
  const { client } = useHost();
  const [cards, setCards] = useState(initialCards);
  const [finished, setFinished] = useState<readonly FinishedCard[]>([]);
  const [stageIndex, setStageIndex] = useState(0);
  const [spoken, setSpoken] = useState<SpokenWord | null>(null);
  const [accuracy, setAccuracy] = useState<number | null>(null);
  const card = cards[finished.length] ?? null;
  const stages = stagesOf(card ?? { word: '', sentence: null });
  const showCard = (done: readonly FinishedCard[]): void => {
    setFinished(done);
    setStageIndex(0);
    setSpoken(null);
    setAccuracy(null);
  };
  const grading = useMutation({
    mutationFn: async (graded: Omit<FinishedCard, 'attemptId'>): Promise<FinishedCard> => {
      const { card: of, grade, accuracy } = graded;
      return { ...graded, ...(await client.review.grade({ word: of.word, grade, accuracy })) };
    },
    onSuccess: (done) => showCard([...finished, done]),
  });
  const undoing = useMutation({
    mutationFn: ({ attemptId }: FinishedCard) => client.review.undo({ attemptId }),
    onSuccess: () => showCard(finished.slice(0, -1)),
  });
  const last = finished.at(-1);
  const isSaving = grading.isPending || undoing.isPending;
  return {
    cards,
    finished,
    card,
    stage: stages[stageIndex] ?? { name: 'word', text: '' },
    nextStage: stages[stageIndex + 1] ?? null,
    spoken,
    suggestion: accuracy === null ? null : suggestGrade(accuracy),
    error: grading.error ?? undoing.error,
    isSaving,
    onSpoken: (attempt) => {
      if (card === null) return;
      const isUsable = attempt.assessment.unusable === undefined;
      const word = isUsable ? (reviewedWord(card.word, attempt.assessment) ?? null) : null;
      setSpoken({ attempt, word });
      if (word !== null) setAccuracy(word.accuracy);
    },
    goToNextStage: () => {
      if (stageIndex + 1 >= stages.length) return;
      setStageIndex(stageIndex + 1);
      setSpoken(null);
    },
    postpone: () => {
      if (isSaving) return;
      setCards(putOff(cards, finished.length));
      showCard(finished);
    },
    grade: (grade) => {
      if (card !== null && accuracy !== null && !isSaving) grading.mutate({ card, grade, accuracy });
    },
    undo: () => {
      if (last !== undefined && !isSaving) undoing.mutate(last);
    },
  };
}
