/** The coach that a language model plays, and the port of such models. Reads its prompts from disk: for Node alone. */
export {
  type Asked,
  type LanguageModel,
  type Message,
  MODEL_FAILURES,
  MODEL_PURPOSES,
  type ModelEvent,
  ModelFailure,
  type ModelLoading,
  type ModelPurpose,
  type Usage,
} from './language-model.ts';
export { judgeTurn, type Proof } from './judge.ts';
export { createLiveCaptions, type LiveCaptions, plainLine } from './live-captions.ts';
export { createModelCoach } from './model-coach.ts';
export type { ModelObjective, ModelScene } from './model-scene.ts';
export {
  END_FUNCTION,
  mayEndRealtime,
  realtimeInstructions,
  type RealtimePart,
  type RealtimeScene,
} from './realtime-instructions.ts';
export { translateLine } from './translate-line.ts';
