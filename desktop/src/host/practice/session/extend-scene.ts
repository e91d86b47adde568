/** Gives the learner two more minutes in a scene that has ended. */
import { findOpenQuestion, extendFreely, extendScene } from '@parley/coach';
import type { CoachUtterance } from '@parley/domain';
import type { Catalogue } from '../../catalogue/index.ts';
import { findSceneOrNull, type SceneParts } from './guided-scene.ts';
import { hasEnded, type Session } from './session-rows.ts';
import { hasModelCoach } from './turn-order.ts';

const conversationOf = (session: Session) => ({
  turns: session.entireConversation,
  completed: session.completedObjectives,
});

/** Whether the session can continue after the coach's goodbye. With a guided coach, this requires an open objective. */
export function canExtend({ catalogue }: { catalogue: Catalogue }, session: Session): boolean {
  if (!hasEnded(session)) return false;
  if (hasModelCoach(session)) return true;
  const dialogue = catalogue.practice(session.practiceId)?.dialogue ?? null;
  if (dialogue === null) return false;
  const objectives = catalogue.objectivesOf(session.practiceId);
  const scene = { dialogue, difficulty: session.difficulty, objectives };
  return findOpenQuestion(scene, conversationOf(session)) !== null;
}

/** The coach's next utterance; null when the scene cannot continue. */
export function nextUtteranceAfterGoodbye(parts: SceneParts, session: Session): CoachUtterance | null {
  if (!canExtend(parts, session)) return null;
  if (hasModelCoach(session)) return extendFreely();
  const scene = findSceneOrNull(parts, session);
  return scene === null ? null : extendScene(scene, conversationOf(session));
}
