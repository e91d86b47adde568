export { countDue, practisedDays, readDayTotals, readRemovedWords, wordsToTrain } from './read-cards.ts';
export { recordUtterances } from './record-attempts.ts';
export { createReview, type Review } from './review.ts';
