/** Collects what a guided coach needs for its next reply: the dialogue, the coach's manner, and the turns so far. */
import { nodesToUnderstand } from '@parley/coach';
import type { Understanding } from '@parley/coach/understanding';
import { type CoachManner, type CoachTurn, type Dialogue, ok, type PracticeId, TurnId } from '@parley/domain';
import { type HostResult, failed } from '../../result/index.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import type { Store } from '../../store/index.ts';
import type { CoachUtterance, Scene } from './guided-coach.ts';
import type { Session } from './session-rows.ts';

/** Polite phrases for a coach whose row has not been synced yet, so that its session can continue. */
const DEFAULT_MANNER: CoachManner = {
  acknowledge: ['I see.', 'All right.'],
  praise: ['Well said.', 'That was clear.'],
  reassure: ['Take your time.', 'No problem.'],
  goodbye: ['Goodbye.', 'See you soon.'],
};

export type SceneSession = Pick<
  Session,
  'id' | 'practiceId' | 'agentId' | 'difficulty' | 'entireConversation' | 'completedObjectives'
>;

/** The random tail of the session id selects each session's phrases, which therefore stay the same after a restart. */
const seedOf = (session: Pick<Session, 'id'>): number => Number.parseInt(session.id.slice(-8), 16);

export interface SceneParts {
  catalogue: Catalogue;
  understanding: Understanding;
}

export function findScene({ catalogue, understanding }: SceneParts, session: SceneSession): HostResult<Scene> {
  const practice = catalogue.practice(session.practiceId);
  if (practice === null) return failed('practice.not_found');
  if (practice.dialogue === null) return failed('practice.no_dialogue');
  const manner = catalogue.coachRow(session.agentId)?.manner ?? DEFAULT_MANNER;
  const coachName = catalogue.coach(session.agentId).name;
  const seed = seedOf(session);
  return ok({
    dialogue: practice.dialogue,
    difficulty: session.difficulty,
    manner,
    coachName,
    sceneCoach: understanding.coachFor(practice.dialogue, {
      coachName,
      seed,
      reassure: manner.reassure,
      words: practice.usefulWords,
    }),
    objectives: catalogue.objectivesOf(session.practiceId),
    turns: session.entireConversation,
    completed: session.completedObjectives,
    seed,
  });
}

export function findSceneOrNull(parts: SceneParts, session: SceneSession): Scene | null {
  const scene = findScene(parts, session);
  return scene.ok ? scene.value : null;
}

/**
 * Resolves when the coach can answer the next turn of a guided session without delay. The rest of the practice is then
 * prepared in the background, without reading the database, because the app may have closed meanwhile.
 */
export async function prepareAnswer(parts: SceneParts, session: SceneSession): Promise<void> {
  const scene = findSceneOrNull(parts, session);
  if (scene === null) return;
  await parts.understanding.prepare(scene.dialogue, nodesToUnderstand(scene, scene.turns));
  void prepareDialogue(parts, scene.dialogue);
}

/** Prepares the whole practice, starting with its first node, while the learner reads about it or speaks. */
export async function prepareScene(parts: SceneParts, practiceId: PracticeId): Promise<void> {
  const dialogue = parts.catalogue.practice(practiceId)?.dialogue ?? null;
  if (dialogue !== null) await prepareDialogue(parts, dialogue);
}

const prepareDialogue = ({ understanding }: SceneParts, dialogue: Dialogue): Promise<void> =>
  understanding.prepare(dialogue, [dialogue.start, ...dialogue.nodes.map(({ key }) => key)]);

export const toCoachTurn = (store: Store, line: CoachUtterance): CoachTurn => ({
  role: 'coach',
  turnId: TurnId.parse(store.newId()),
  at: store.clock.now().toISOString(),
  ...line,
});
