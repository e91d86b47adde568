/** What the coach must know to go on: the practice's dialogue, the coach's manner, and what was said so far. */
import { type CoachManner, type CoachTurn, ok, TurnId } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Store } from '../store/index.ts';
import type { CoachLine, Scene } from './guide.ts';
import type { Session } from './session-rows.ts';

/** Plain courtesy, for a coach whose row has not come yet: a session must not end for want of a phrase. */
const PLAIN_MANNER: CoachManner = {
  acknowledge: ['I see.', 'All right.'],
  praise: ['Well said.', 'That was clear.'],
  reassure: ['Take your time.', 'No problem.'],
  goodbye: ['Goodbye.', 'See you soon.'],
};

export type InScene = Pick<
  Session,
  'id' | 'practiceId' | 'agentId' | 'difficulty' | 'entireConversation' | 'completedObjectives'
>;

/** The random tail of its id makes each session's phrases its own, and the same after a restart. */
const seedOf = (session: Pick<Session, 'id'>): number => Number.parseInt(session.id.slice(-8), 16);

export function findScene(catalogue: Catalogue, session: InScene): Answer<Scene> {
  const practice = catalogue.practice(session.practiceId);
  if (practice === null) return failed('practice.not_found');
  if (practice.dialogue === null) return failed('practice.no_dialogue');
  return ok({
    dialogue: practice.dialogue,
    difficulty: session.difficulty,
    manner: catalogue.coachRow(session.agentId)?.manner ?? PLAIN_MANNER,
    objectives: catalogue.objectivesOf(session.practiceId),
    turns: session.entireConversation,
    completed: session.completedObjectives,
    seed: seedOf(session),
  });
}

export function sceneOf(catalogue: Catalogue, session: InScene): Scene | null {
  const scene = findScene(catalogue, session);
  return scene.ok ? scene.value : null;
}

export const coachTurn = (store: Store, line: CoachLine): CoachTurn => ({
  role: 'coach',
  turnId: TurnId.parse(store.newId()),
  at: store.clock.now().toISOString(),
  ...line,
});
