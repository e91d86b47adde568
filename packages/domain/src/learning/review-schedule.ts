/** The review schedule: a replay of a word's grades through FSRS. */
import { type Card, createEmptyCard, fsrs, Rating, type Grade } from 'ts-fsrs';
import type { ReviewGrade } from './word-attempt.ts';

/** Every interval is at least a day and has no random spread, so that all devices compute the same schedule. */
export const SCHEDULER_PARAMETERS = { enable_fuzz: false, enable_short_term: false } as const;

const scheduler = fsrs(SCHEDULER_PARAMETERS);

const RATING_BY_GRADE: Readonly<Record<ReviewGrade, Grade>> = {
  again: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
};

export interface ReviewState {
  due: Date;
  stability: number;
  difficulty: number;
}

/** Replays the grades, oldest first. Returns null when the word was never reviewed. */
export function replayReviews(reviews: readonly { at: Date; grade: ReviewGrade }[]): ReviewState | null {
  const [first] = reviews;
  if (first === undefined) return null;
  let card: Card = createEmptyCard(first.at);
  for (const { at, grade } of reviews) card = scheduler.next(card, at, RATING_BY_GRADE[grade]).card;
  return { due: card.due, stability: card.stability, difficulty: card.difficulty };
}

const DAY_MS = 86_400_000;

/** The days until a review; at least one, because every interval is. */
export const daysUntil = (due: Date, now: Date): number =>
  Math.max(1, Math.round((due.getTime() - now.getTime()) / DAY_MS));

/** The days until the next review for each grade, if the word is graded now. */
export function daysByGrade(
  reviews: readonly { at: Date; grade: ReviewGrade }[],
  now: Date,
): Record<ReviewGrade, number> {
  // A review may have a future date, from a clock that was ahead; time cannot run backwards in a replay.
  const at = new Date(Math.max(now.getTime(), reviews.at(-1)?.at.getTime() ?? 0));
  const daysAfter = (grade: ReviewGrade): number => {
    const due = replayReviews([...reviews, { at, grade }])?.due ?? now;
    return daysUntil(due, now);
  };
  return { again: daysAfter('again'), hard: daysAfter('hard'), good: daysAfter('good'), easy: daysAfter('easy') };
}

const EASY_FROM = 92;
const GOOD_FROM = 80;
const HARD_FROM = 60;

/** Suggests a grade for an accuracy, 0-100, which the learner may override. */
export function suggestGrade(accuracy: number): ReviewGrade {
  if (accuracy >= EASY_FROM) return 'easy';
  if (accuracy >= GOOD_FROM) return 'good';
  return accuracy >= HARD_FROM ? 'hard' : 'again';
}
