export { recordUtterances } from './record-attempts.ts';
export { countDue, createReview, readDayTotals, type Review, reviewDays, weakestWords } from './review.ts';
