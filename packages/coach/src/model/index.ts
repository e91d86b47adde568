/** The coach that a language model plays, and the language model port. It reads its prompts from disk and therefore needs Node. */
export {
  type LanguageModelRequest,
  type LanguageModel,
  type Message,
  type ModelEvent,
  type ModelLoading,
  type ModelPurpose,
  type Usage,
} from './language-model.ts';
export { draftPractice, type PracticeDraft } from './draft-practice.ts';
export { judgeTurn, type Proof } from './judge.ts';
export { createCaptionGate, type CaptionGate, plainUtterance } from './realtime/caption-gate.ts';
export { createModelCoach } from './model-coach.ts';
export type { ModelObjective, ModelScene } from './context/scene-context.ts';
export {
  END_SESSION_FUNCTION,
  mayEndRealtimeSession,
  realtimeInstructions,
  type RealtimeInstructions,
  type RealtimeScene,
} from './realtime/realtime-instructions.ts';
export { translateUtterance } from './translate-utterance.ts';
