/** Everything a coach says: the coach interface, the guided coach, hints, the objectives judge and feedback. It does not depend on Node. */
export type { CoachUtterance } from '@parley/domain';
export type { Coach, ConversationState } from './coach.ts';
export { toStoredFeedback, toStoredSummary } from './feedback/choose-feedback.ts';
export { grammarCorrections } from './grammar/find-grammar-hints.ts';
export type { SessionToReview } from './feedback/session-to-review.ts';
export { type GuidedObjective, type GuidedScene, openConversation } from './guided/dialogue-engine.ts';
export { answerTurn, currentReplies, currentNode, nodesToUnderstand } from './guided/answer-turn.ts';
export { expectedSpeech } from './guided/expected-speech.ts';
export { findOpenQuestion, extendFreely, extendScene } from './guided/extend-scene.ts';
export { handOverScene, takeOverScene } from './guided/take-over.ts';
export type { GuidedPractice } from './guided/guided-coach.ts';
export { buildHints } from './guided/hints.ts';
export { NothingToAnswerError } from './find-turn-to-answer.ts';
