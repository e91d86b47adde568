/**
 * A learner's actions on a session as a whole: start, read, pause, resume and discard it, and keep a draft of an
 * answer.
 */
import type { CoachKind, SessionView } from '@parley/contract';
import { ok, type SessionId } from '@parley/domain';
import type { CoachClient } from '../../coach/index.ts';
import type { Logger } from '../../logger.ts';
import type { Recordings } from '../../recordings/index.ts';
import { type HostResult, failed } from '../../result/index.ts';
import { RECORDING_STATES, removeRow } from '../../store/index.ts';
import { deletePendingScoring } from '../completion/scoring-attempts.ts';
import { deleteSessionClock } from './active-time.ts';
import { deleteDraft, readDraft, saveDraft } from './draft.ts';
import { nextUtteranceAfterGoodbye } from './extend-scene.ts';
import { prepareScene, toCoachTurn } from './guided-scene.ts';
import { findOpenSession, pauseSession, resumeSession } from './open-session.ts';
import { deleteHints } from './opened-hints.ts';
import { appendTurns, findSession, findWholeSession, hasEnded } from './session-rows.ts';
import { findPendingScoring, toSessionView } from './session-view.ts';
import { openSession, showSession, type ShowSessionParts } from './show-session.ts';
import type { ShownSessions } from './shown-sessions.ts';
import { type StartParts, type StartPracticeRequest, startSession } from './start-session.ts';
import { switchCoach } from './switch-coach.ts';

type SessionKey = { sessionId: SessionId };

export interface SessionActions {
  start(request: StartPracticeRequest): Promise<HostResult<SessionView>>;
  /** `windowGone` aborts when the window that shows the session loses its connection. */
  session(at: SessionKey, windowGone?: AbortSignal): Promise<HostResult<SessionView>>;
  /** Lets the coach continue after its goodbye. */
  extend(at: SessionKey): Promise<HostResult<SessionView>>;
  /** Switches to the other coach in mid-scene. */
  switchCoach(request: SessionKey & { to: CoachKind }): Promise<HostResult<SessionView>>;
  pause(at: SessionKey): Promise<HostResult<SessionView>>;
  resume(at: SessionKey): Promise<HostResult<SessionView>>;
  discard(at: SessionKey): HostResult<void>;
  draft(at: SessionKey): HostResult<{ text: string }>;
  saveDraft(typed: SessionKey & { text: string }): HostResult<void>;
}

export interface SessionActionsParts extends StartParts, ShowSessionParts {
  coach: CoachClient;
  recordings: Recordings;
  shownSessions: ShownSessions;
  logger: Logger;
}

export function createSessionActions(parts: SessionActionsParts): SessionActions {
  const { store, coach, recordings, recognition, shownSessions, logger } = parts;
  return {
    async start(request) {
      const started = await startSession(parts, request);
      if (started.ok && request.coachKind === 'guided') void prepareScene(parts, request.practiceId);
      return started.ok ? ok(toSessionView(parts, started.value, null)) : started;
    },

    session({ sessionId }, windowGone) {
      shownSessions.add(sessionId, windowGone);
      return openSession(parts, sessionId);
    },

    async extend({ sessionId }) {
      const gone = store.transaction((): HostResult<void> => {
        const session = findWholeSession(store, sessionId);
        if (!session.ok) return session;
        if (session.value.status !== 'in_progress') return failed('session.already_completed');
        if (findPendingScoring(store, session.value) !== null) return failed('session.ended');
        const utterance = nextUtteranceAfterGoodbye(parts, session.value);
        // A second press finds that the scene has already continued.
        if (utterance === null) return hasEnded(session.value) ? failed('session.ended') : ok(undefined);
        appendTurns(store, session.value, [toCoachTurn(store, utterance)]);
        return ok(undefined);
      });
      return gone.ok ? showSession(parts, sessionId) : gone;
    },

    async switchCoach({ sessionId, to }) {
      const open = findOpenSession(store, sessionId);
      if (!open.ok) return open;
      if (to === 'guided') await prepareScene(parts, open.value.practiceId);
      const switched = store.transaction((): HostResult<void> => {
        // The session is read again because the coach may have answered in the meantime.
        const session = findOpenSession(store, sessionId);
        return session.ok ? switchCoach(parts, session.value, to) : session;
      });
      if (!switched.ok) return switched;
      recognition.stopStreaming(sessionId);
      void coach.release(sessionId);
      return showSession(parts, sessionId);
    },

    async pause({ sessionId }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      pauseSession(store, session.value);
      recognition.stopStreaming(sessionId);
      void coach.release(sessionId);
      return showSession(parts, sessionId);
    },

    async resume({ sessionId }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      resumeSession(store, session.value);
      return showSession(parts, sessionId);
    },

    discard({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (session.value.status === 'completed') return failed('session.already_completed');
      void coach.release(sessionId);
      store.transaction(() => {
        removeRow(store, 'practiceHistory', sessionId);
        deleteSessionClock(store, sessionId);
        deleteDraft(store, sessionId);
        deleteHints(store, sessionId);
        deletePendingScoring(store, sessionId);
      });
      recognition.cancel(sessionId);
      try {
        recordings.remove(sessionId, RECORDING_STATES);
      } catch (error) {
        // The session is gone; its recordings are erased together with those of other deleted sessions.
        logger.error({ err: error, sessionId }, 'discarded_recordings_not_removed');
      }
      return ok(undefined);
    },

    draft({ sessionId }) {
      const session = findSession(store, sessionId);
      return session.ok ? ok({ text: readDraft(store, sessionId) }) : session;
    },

    saveDraft({ sessionId, text }) {
      const session = findOpenSession(store, sessionId);
      if (!session.ok) return session;
      saveDraft(store, sessionId, text);
      return ok(undefined);
    },
  };
}
