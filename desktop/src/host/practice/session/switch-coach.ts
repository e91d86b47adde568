/** Lets a guided coach take over from a language model in mid-scene, or the other way round. */
import type { CoachKind } from '@parley/contract';
import { ok } from '@parley/domain';
import type { HostResult } from '../../result/index.ts';
import type { Store } from '../../store/index.ts';
import { handOver, takeOver } from './guided-coach.ts';
import { findScene, type SceneParts, toCoachTurn } from './guided-scene.ts';
import { appendTurns, lastTurnWithWords, type Session } from './session-rows.ts';
import { hasModelCoach, isCoachsTurn } from './turn-order.ts';

/** Does nothing when that coach is already speaking. Call this inside a transaction. */
export function switchCoach(parts: SceneParts & { store: Store }, session: Session, to: CoachKind): HostResult<void> {
  if (hasModelCoach(session) === (to === 'model')) return ok(undefined);
  const scene = findScene(parts, session);
  if (!scene.ok) return scene;
  const { store } = parts;
  if (to === 'model') {
    appendTurns(store, session, [toCoachTurn(store, handOver(scene.value))]);
    return ok(undefined);
  }
  const last = isCoachsTurn(session) ? lastTurnWithWords(session) : undefined;
  const pending = last?.role === 'learner' ? last : null;
  const { line, proved } = takeOver(scene.value, pending);
  const proofs = pending === null ? [] : proved.map((objective) => ({ ...objective, turnId: pending.turnId }));
  appendTurns(store, session, [toCoachTurn(store, line)], {
    completedObjectives: [...session.completedObjectives, ...proofs],
  });
  return ok(undefined);
}
