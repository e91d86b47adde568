/** Stores a learner's turn, the objectives it proves and the guided coach's reply atomically. */
import { type LearnerTurn, ok } from '@parley/domain';
import type { HostResult } from '../../result/index.ts';
import type { Store } from '../../store/index.ts';
import { deleteSentDraft } from '../session/draft.ts';
import { takeGuidedTurn } from '../session/guided-coach.ts';
import { deleteHints, readHintLevel } from '../session/opened-hints.ts';
import { toCoachTurn, findScene, type SceneParts } from '../session/guided-scene.ts';
import { type Session, appendTurns } from '../session/session-rows.ts';
import { hasModelCoach } from '../session/turn-order.ts';

/** Call this inside a transaction. */
export function commitTurn(
  parts: SceneParts & { store: Store },
  session: Session,
  said: Pick<LearnerTurn, 'turnId' | 'text' | 'mode' | 'recordingId' | 'assessment' | 'hintLevel'>,
): HostResult<void> {
  const { store } = parts;
  const hintLevel = Math.max(said.hintLevel, readHintLevel(store, session));
  const turn = { ...said, hintLevel, role: 'learner' as const, at: store.clock.now().toISOString() };
  // The turn is stored before a model coach receives it, so a failing coach loses nothing.
  const scene = hasModelCoach(session) ? null : findScene(parts, session);
  // If the turn cannot be stored, its draft stays, because a returned failure does not roll back.
  if (scene?.ok === false) return scene;
  deleteSentDraft(store, session.id, said.text);
  deleteHints(store, session.id);
  if (scene === null) {
    appendTurns(store, session, [{ ...turn, node: null, fitted: true }]);
    return ok(undefined);
  }
  const guided = takeGuidedTurn(scene.value, turn);
  const proofs = guided.proved.map((objective) => ({ ...objective, turnId: said.turnId }));
  appendTurns(store, session, [{ ...turn, ...guided.learner }, toCoachTurn(store, guided.line)], {
    completedObjectives: [...session.completedObjectives, ...proofs],
  });
  return ok(undefined);
}
