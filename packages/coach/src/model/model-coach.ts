/** A coach played by a language model. The model answers freely; its claims, proofs, goodbyes and memories are verified here. */
import type { Coach } from '../coach.ts';
import { generateHints } from './hint.ts';
import type { ModelScene } from './context/scene-context.ts';
import { streamReply } from './reply/stream-reply.ts';
import { generateReview } from './review/generate-review.ts';

/** All three throw a `ServiceFailure` when the model fails; `reply` throws `NothingToAnswerError` when the coach spoke last. */
export const createModelCoach = (scene: ModelScene): Coach => ({
  reply: (conversation, signal) => streamReply(scene, conversation, signal),
  hint: (conversation, options) => generateHints(scene, conversation, options),
  review: (conversation, signal) => generateReview(scene, conversation, signal),
});
