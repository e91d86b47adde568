/** What a coach says: the port of every coach, the guided coach, its hints, its judge of objectives, its feedback. Free of Node. */
export type { CoachLine } from '@parley/domain';
export type { Coach, Held } from './coach.ts';
export { type SessionToReview, writeFeedback, writeSummary } from './feedback/write-feedback.ts';
export { wordsToTrain } from './feedback/words-to-train.ts';
export { type GuidedScene, openConversation } from './guided/converse.ts';
export { type GuidedObjective, guideTurn, repliesHere, whereCoachWaits } from './guided/guide.ts';
export { createGuidedCoach, type GuidedPractice } from './guided/guided-coach.ts';
export { hintsFor } from './guided/hints.ts';
export { describeSound } from './sounds.ts';
export { NothingToAnswer } from './turn-to-answer.ts';
