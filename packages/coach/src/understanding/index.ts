/** Understands free answers in a scene offline, and produces the coach's reaction. */
export {
  EMPTY_MEMORY,
  type EarlierAnswer,
  type SceneAnswer,
  type SceneCoach,
  type SceneMemory,
} from './scene/scene-turn.ts';
export { createUnderstanding, type SceneRole, type Understanding } from './understanding.ts';
