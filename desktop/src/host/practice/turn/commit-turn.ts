/** Stores a learner's turn, the objectives it proves and the guided coach's reply atomically. */
import { type LearnerTurn, ok, RecordingId, TurnId } from '@parley/domain';
import type { Recording } from '../../recordings/index.ts';
import type { HostResult } from '../../result/index.ts';
import type { Store } from '../../store/index.ts';
import { deleteSentDraft } from '../session/draft.ts';
import { takeGuidedTurn } from '../session/guided-coach.ts';
import { deleteHints, readHintLevel } from '../session/opened-hints.ts';
import { toCoachTurn, findScene, type SceneParts } from '../session/guided-scene.ts';
import { type Session, appendTurns } from '../session/session-rows.ts';
import { hasModelCoach } from '../session/turn-order.ts';

type SaidTurn = Pick<LearnerTurn, 'turnId' | 'text' | 'mode' | 'recordingId' | 'assessment' | 'hintLevel'>;

/**
 * Returns the turn of a waiting recording; null while its words are not known. A corrected turn without a score is a
 * turn as well; it is assessed when the session ends.
 */
export function toSaidTurn(recording: Recording): SaidTurn | null {
  const { outcome, text, assessment, hintLevel } = recording;
  if (text === null || (outcome !== 'heard' && outcome !== 'not_scored')) return null;
  const [turnId, recordingId] = [TurnId.parse(recording.turnId), RecordingId.parse(recording.recordingId)];
  return { turnId, text, mode: 'voice', recordingId, assessment, hintLevel };
}

/** Call this inside a transaction. */
export function commitTurn(parts: SceneParts & { store: Store }, session: Session, said: SaidTurn): HostResult<void> {
  const { store } = parts;
  if (hasModelCoach(session)) {
    commitTurnForModel(store, session, said);
    return ok(undefined);
  }
  const scene = findScene(parts, session);
  // If the turn cannot be stored, its draft stays, because a returned failure does not roll back.
  if (!scene.ok) return scene;
  const turn = takeHelp(store, session, said);
  const guided = takeGuidedTurn(scene.value, turn);
  const proofs = guided.proved.map((objective) => ({ ...objective, turnId: said.turnId }));
  appendTurns(store, session, [{ ...turn, ...guided.learner }, toCoachTurn(store, guided.line)], {
    completedObjectives: [...session.completedObjectives, ...proofs],
  });
  return ok(undefined);
}

/**
 * The turn is stored before a model coach receives it, so a failing coach loses nothing. Call this inside a transaction.
 */
export function commitTurnForModel(store: Store, session: Session, said: SaidTurn): void {
  appendTurns(store, session, [{ ...takeHelp(store, session, said), node: null, fitted: true }]);
}

/** Returns the turn with the hints that the learner opened for it, and deletes these and its draft. */
function takeHelp(store: Store, session: Session, said: SaidTurn) {
  const hintLevel = Math.max(said.hintLevel, readHintLevel(store, session));
  deleteSentDraft(store, session.id, said.text);
  deleteHints(store, session.id);
  return { ...said, hintLevel, role: 'learner' as const, at: store.clock.now().toISOString() };
}
