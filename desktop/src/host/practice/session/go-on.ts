/** Gives the learner two more minutes in a scene that has ended. */
import { findOpenQuestion, goOnFreely, goOnWithScene } from '@parley/coach';
import type { CoachUtterance } from '@parley/domain';
import type { Catalogue } from '../../catalogue/index.ts';
import { findSceneOrNull, type SceneParts } from './guided-scene.ts';
import { hasEnded, type Session } from './session-rows.ts';
import { hasModelCoach } from './turn-order.ts';

const conversationOf = (session: Session) => ({
  turns: session.entireConversation,
  completed: session.completedObjectives,
});

/** Whether the coach can go on after its goodbye: a guided coach only while an objective is open. */
export function canGoOn({ catalogue }: { catalogue: Catalogue }, session: Session): boolean {
  if (!hasEnded(session)) return false;
  if (hasModelCoach(session)) return true;
  const dialogue = catalogue.practice(session.practiceId)?.dialogue ?? null;
  if (dialogue === null) return false;
  const objectives = catalogue.objectivesOf(session.practiceId);
  const scene = { dialogue, difficulty: session.difficulty, objectives };
  return findOpenQuestion(scene, conversationOf(session)) !== null;
}

/** What the coach says then; null when it cannot go on. */
export function findWayOn(parts: SceneParts, session: Session): CoachUtterance | null {
  if (!canGoOn(parts, session)) return null;
  if (hasModelCoach(session)) return goOnFreely();
  const scene = findSceneOrNull(parts, session);
  return scene === null ? null : goOnWithScene(scene, conversationOf(session));
}
