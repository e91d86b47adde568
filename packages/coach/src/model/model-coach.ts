/** A coach whom a language model plays. It answers freely; what it may claim, tick, end and remember is checked here. */
import type { Coach } from '../coach.ts';
import { hintWith } from './hint.ts';
import type { ModelScene } from './model-scene.ts';
import { replyTo } from './reply.ts';
import { reviewWith } from './review.ts';

/** All three throw a `ModelFailure` where the model fails; `reply` throws `NothingToAnswer` where the coach has spoken last. */
export const createModelCoach = (scene: ModelScene): Coach => ({
  reply: (held, signal) => replyTo(scene, held, signal),
  hint: (held, asked) => hintWith(scene, held, asked),
  review: (held, signal) => reviewWith(scene, held, signal),
});
