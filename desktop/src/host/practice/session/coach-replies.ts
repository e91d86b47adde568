/** The coach's side of a session: its streamed reply, and hints for the learner's next turn. */
import type { CoachReplyUpdate, SessionView } from '@parley/contract';
import { ok, type SessionId } from '@parley/domain';
import { type CoachClient, CoachError } from '../../coach/index.ts';
import type { HostResult } from '../../result/index.ts';
import { currentHints } from './guided-coach.ts';
import { findScene, type SceneParts } from './guided-scene.ts';
import { keepInterruptedReply, streamCoachReply, toConversationSnapshot } from './model-coach.ts';
import { findOpenSession } from './open-session.ts';
import { saveHintLevel } from './opened-hints.ts';
import type { Session } from './session-rows.ts';
import { showSession, type ShowSessionParts } from './show-session.ts';
import { createStreamLock } from './stream-lock.ts';
import { hasModelCoach, isCoachsTurn } from './turn-order.ts';

type SessionKey = { sessionId: SessionId };

export interface CoachReplies {
  /** Throws a `CoachError`; what was said before is kept. */
  streamCoachReply(at: SessionKey & { takeOver: boolean }, signal: AbortSignal): AsyncGenerator<CoachReplyUpdate, void>;
  interruptCoach(at: SessionKey & { heard: string }): Promise<HostResult<SessionView>>;
  takeOver(at: SessionKey): Promise<HostResult<void>>;
  hint(at: SessionKey & { level: number }): Promise<HostResult<{ hints: string[] }>>;
}

export interface CoachRepliesParts extends ShowSessionParts, SceneParts {
  coach: CoachClient;
}

export function createCoachReplies(parts: CoachRepliesParts): CoachReplies {
  const { store, coach, recognition } = parts;
  const streamLock = createStreamLock();

  async function hintsFor(session: Session, level: number): Promise<HostResult<string[]>> {
    if (hasModelCoach(session))
      return coach.hint(toConversationSnapshot(session), level <= 1 ? 1 : level === 2 ? 2 : 3);
    const scene = findScene(parts, session);
    return scene.ok ? ok(currentHints(scene.value, level)) : scene;
  }

  return {
    async *streamCoachReply({ sessionId, takeOver }, signal) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) throw new CoachError(session.error);
      if (isCoachsTurn(session.value)) {
        const streamHolder = streamLock.acquire(sessionId, { takeOver, signal });
        if (streamHolder === null) throw new CoachError({ code: 'live.other_window' });
        try {
          yield* streamCoachReply({ store, coach }, session.value, streamHolder.signal);
        } catch (error) {
          throw streamHolder.wasTakenOver() ? new CoachError({ code: 'live.other_window' }, { cause: error }) : error;
        } finally {
          streamHolder.release();
        }
      }
      const now = await showSession(parts, sessionId);
      if (!now.ok) throw new CoachError(now.error);
      yield { type: 'session', session: now.value };
    },

    async interruptCoach({ sessionId, heard }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      if (isCoachsTurn(session.value)) keepInterruptedReply(store, session.value, heard);
      return showSession(parts, sessionId);
    },

    async takeOver({ sessionId }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      recognition.takeOver(sessionId);
      return ok(undefined);
    },

    async hint({ sessionId, level }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      const hints = await hintsFor(session.value, level);
      if (!hints.ok) return hints;
      saveHintLevel(store, session.value, level);
      return ok({ hints: hints.value });
    },
  };
}
