/** The learner's turn, its row, the objectives that it proves and a guided coach's answer: all of it or nothing. */
import { type LearnerTurn, ok } from '@parley/domain';
import type { Answer } from '../answer/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { Store } from '../store/index.ts';
import { forgetDraft } from './draft.ts';
import { guide } from './guide.ts';
import { forgetHints, hintLevelOf } from './opened-hints.ts';
import { coachTurn, findScene } from './scene.ts';
import { type Session, storeTurns } from './session-rows.ts';
import { isLive } from './whose-turn.ts';

/** Call it inside a transaction. */
export function commitTurn(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  session: Session,
  said: Pick<LearnerTurn, 'turnId' | 'text' | 'mode' | 'recordingId' | 'assessment' | 'hintLevel'>,
): Answer<void> {
  const hintLevel = Math.max(said.hintLevel, hintLevelOf(store, session));
  const turn = { ...said, hintLevel, role: 'learner' as const, at: store.clock.now().toISOString() };
  forgetDraft(store, session.id);
  forgetHints(store, session.id);
  if (isLive(session)) {
    // What a learner said is on the disk before the coach hears of it.
    storeTurns(store, session, [{ ...turn, node: null, fitted: true }]);
    return ok(undefined);
  }
  const scene = findScene(catalogue, session);
  if (!scene.ok) return scene;
  const guided = guide(scene.value, turn);
  const proved = guided.proved.map((objective) => ({ ...objective, turnId: said.turnId }));
  storeTurns(store, session, [{ ...turn, ...guided.learner }, coachTurn(store, guided.line)], {
    completedObjectives: [...session.completedObjectives, ...proved],
  });
  return ok(undefined);
}
