/** What a coach says: the offline guided coach, its hints, its judge of objectives, its feedback. */
export { type SessionToReview, writeFeedback, writeSummary } from './feedback/write-feedback.ts';
export { wordsToTrain } from './feedback/words-to-train.ts';
export {
  answer,
  candidateReplies,
  type CoachLine,
  type GuidedScene,
  type LearnerReply,
  openConversation,
} from './guided/converse.ts';
export { hintsFor } from './guided/hints.ts';
export { matchTypedReply, type ReplyMatch } from './guided/match-reply.ts';
export { proveObjectives } from './guided/prove-objectives.ts';
export { describeSound } from './sounds.ts';
