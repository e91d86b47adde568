/** Decides which days count as practised, and how many of them are consecutive. */
import { dayBefore, type LocalDay, mondayOf } from '../time/local-day.ts';

/** The number of reviews that make a day count without a practice. */
export const REVIEW_ITEMS_PER_DAY: number = 10;

export interface DayOfPractice {
  /**
   * Whether the learner said something on this day in a practice that they have finished since, with or without a
   * score.
   */
  hasFinishedPractice: boolean;
  /** Words reviewed. */
  reviews: number;
}

export const isPractisedDay = ({ hasFinishedPractice, reviews }: DayOfPractice): boolean =>
  hasFinishedPractice || reviews >= REVIEW_ITEMS_PER_DAY;

/** Days off per week, from Monday to Sunday, that do not break a streak. */
const REST_DAYS_A_WEEK = 2;

/**
 * Counts the consecutive practised days up to today. Rest days are not counted, and today is not a rest day before it
 * is over.
 */
export function streakDays(practised: ReadonlySet<LocalDay>, today: LocalDay): number {
  let days = practised.has(today) ? 1 : 0;
  let week = mondayOf(today);
  let rested = 0;
  for (let day = dayBefore(today); ; day = dayBefore(day)) {
    if (mondayOf(day) !== week) {
      week = mondayOf(day);
      rested = 0;
    }
    if (practised.has(day)) days += 1;
    else rested += 1;
    if (rested > REST_DAYS_A_WEEK) return days;
  }
}
