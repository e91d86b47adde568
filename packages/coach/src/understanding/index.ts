/** Understands free answers in a scene, offline: what was meant, and what the other person says to it. */
export { createSceneCoach, NO_MEMORY, type SceneAnswer, type SceneCoach, type SceneMemory } from './scene-coach.ts';
export type { SharedActs } from './shared-acts.ts';
export { trainWorkTalk } from './work-talk.ts';
