/** Reads a session as the learner sees it, including the turn that waits to be sent. */
import type { ResultView, SessionView } from '@parley/contract';
import { ok, type SessionId } from '@parley/domain';
import type { Catalogue } from '../../catalogue/index.ts';
import type { HostResult } from '../../result/index.ts';
import type { Recordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import type { TurnRecognition } from '../turn/recognition.ts';
import { findSession, findWholeSession } from './session-rows.ts';
import { toResultView, toSessionView } from './session-view.ts';

export interface ShowSessionParts {
  store: Store;
  catalogue: Catalogue;
  recordings: Recordings;
  recognition: TurnRecognition;
}

/** Opens a session. All of its turns must be here. */
export async function openSession(parts: ShowSessionParts, sessionId: SessionId): Promise<HostResult<SessionView>> {
  const found = findWholeSession(parts.store, sessionId);
  return found.ok ? showSession(parts, sessionId) : found;
}

export async function showSession(parts: ShowSessionParts, sessionId: SessionId): Promise<HostResult<SessionView>> {
  const found = findSession(parts.store, sessionId);
  if (!found.ok) return found;
  const waiting = await parts.recognition.waitingTurn(found.value);
  // The session is read again because it may have changed during the assessment.
  const session = findSession(parts.store, sessionId);
  return session.ok ? ok(toSessionView(parts, session.value, waiting)) : session;
}

export function showResult(parts: ShowSessionParts, sessionId: SessionId): HostResult<ResultView> {
  const session = findSession(parts.store, sessionId);
  return session.ok ? ok(toResultView(parts, session.value, parts.recognition.unsentTurns(session.value))) : session;
}
