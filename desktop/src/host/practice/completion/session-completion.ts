/** Finishes sessions: each is scored once, shows its result, and may be transcribed or reviewed later. */
import { setImmediate } from 'node:timers/promises';
import type { ResultView } from '@parley/contract';
import { ok, type SessionId, type TurnId } from '@parley/domain';
import { type HostResult, failed } from '../../result/index.ts';
import type { RealtimeSessions } from '../realtime/realtime-sessions.ts';
import { findSession, findWholeSession, type Session } from '../session/session-rows.ts';
import { findPendingReview } from '../session/session-view.ts';
import { showResult, type ShowSessionParts } from '../session/show-session.ts';
import type { ShownSessions } from '../session/shown-sessions.ts';
import { keepUnsentTurn } from '../turn/keep-unsent-turns.ts';
import type { CompletionParts } from './completion-parts.ts';
import { endSession } from './end-session.ts';
import { findLateTurns, type LateTurns, scoreLateTurns } from './late-scores.ts';
import { findRescoredSessions, type RescoredSession, updateScores } from './outdated-scores.ts';
import { finishDueSessions } from './overdue-sessions.ts';
import { recordFailedAttempt } from './scoring-attempts.ts';
import { retryReview, retryScheduledReview, scoreAndComplete, transcribeRemaining } from './score-session.ts';

type SessionKey = { sessionId: SessionId };

export interface SessionCompletion {
  finish(at: SessionKey): Promise<HostResult<ResultView>>;
  result(at: SessionKey): HostResult<ResultView>;
  /** Assesses a turn that was never sent when the session ended. */
  assessUnsentTurn(turn: SessionKey & { turnId: TurnId }): Promise<HostResult<ResultView>>;
  /** Retries turns that could not be transcribed when the session ended. */
  retryTranscription(at: SessionKey): Promise<HostResult<ResultView>>;
  /**
   * Finishes sessions that were left alone for a week and that no window shows, retries due scores and reviews, and
   * keeps turns that were left unsent. Call this after a pull too, because a session that another device knows waits
   * for one.
   */
  finishDueSessions(options: { isUpToDate: boolean }): Promise<void>;
  /**
   * Scores turns of sessions that another device has ended, and recalculates scores that leave one out. Call this only
   * after a pull, because a late score would bring back a session that was deleted elsewhere.
   */
  scoreLateTurns(closing: AbortSignal): Promise<void>;
}

interface Running {
  kind: 'scores' | 'review' | 'transcription' | 'late_scores';
  done: Promise<HostResult<void>>;
}

export interface SessionCompletionParts extends CompletionParts, ShowSessionParts {
  calls: Pick<RealtimeSessions, 'endSession'>;
  shownSessions: Pick<ShownSessions, 'has'>;
}

export function createSessionCompletion(parts: SessionCompletionParts): SessionCompletion {
  const { store, recordings, recognition, coach, calls, shownSessions } = parts;
  const running = new Map<string, Running>();
  /** A late turn that cannot be scored is retried only after the next start. */
  const triedLateTurns = new Set<string>();
  /** Prevents two app versions that measure differently from correcting each other forever. */
  const checkedScores = new Set<string>();

  /**
   * Runs one operation at a time on an ended session. If one of the same kind is already running, its result is shared;
   * one of another kind waits, and reads the session afterwards.
   */
  function runExclusively(
    { sessionId, kind }: SessionKey & Pick<Running, 'kind'>,
    work: (session: Session) => Promise<HostResult<void>>,
  ): Promise<HostResult<void>> {
    const before = running.get(sessionId);
    if (before?.kind === kind) return before.done;
    const start = async (): Promise<HostResult<void>> => {
      const current = findWholeSession(store, sessionId);
      return current.ok ? work(current.value) : current;
    };
    const done = (before === undefined ? start() : before.done.then(start, start)).finally(() => {
      if (running.get(sessionId)?.done === done) running.delete(sessionId);
    });
    running.set(sessionId, { kind, done });
    return done;
  }

  /** An attempt that fails unexpectedly counts towards the limit too, so that the session does not wait forever. */
  async function countingFailure(session: Session, attempt: Promise<void>): Promise<HostResult<void>> {
    try {
      return ok(await attempt);
    } catch (error) {
      recordFailedAttempt(parts, session);
      throw error;
    }
  }

  async function completeOnce(session: Session): Promise<void> {
    if (running.get(session.id)?.kind !== 'scores') endSession(parts, session);
    await runExclusively({ sessionId: session.id, kind: 'scores' }, (ended) =>
      countingFailure(ended, scoreAndComplete(parts, ended)),
    );
  }

  /** Another operation, for which this one waited, may have brought the review. */
  const reviewOnce = ({ id }: Session, review: (session: Session) => Promise<unknown>): Promise<HostResult<void>> =>
    runExclusively({ sessionId: id, kind: 'review' }, async (session) =>
      ok(findPendingReview(store, session) === null ? undefined : void (await review(session))),
    );

  async function scoreLateOnce({ sessionId, turnIds }: LateTurns, closing: AbortSignal): Promise<void> {
    try {
      await runExclusively({ sessionId, kind: 'late_scores' }, async (session) => {
        for (const turnId of turnIds) triedLateTurns.add(turnId);
        return ok(await scoreLateTurns(parts, session, { turnIds, closing }));
      });
    } catch (error) {
      parts.logger.error({ err: error, sessionId }, 'late_turns_not_scored');
    }
  }

  async function updateScoresOnce({ sessionId, state }: RescoredSession): Promise<void> {
    if (checkedScores.has(state)) return;
    try {
      await runExclusively({ sessionId, kind: 'late_scores' }, async (session) => {
        checkedScores.add(state);
        return ok(updateScores(parts, session));
      });
    } catch (error) {
      parts.logger.error({ err: error, sessionId }, 'scores_not_updated');
    }
  }

  return {
    async finish({ sessionId }) {
      await calls.endSession(sessionId);
      const session = findWholeSession(store, sessionId);
      if (!session.ok) return session;
      recognition.stopStreaming(sessionId);
      // A repeated request returns the stored result, because the first response may have been lost.
      if (session.value.status !== 'completed') await completeOnce(session.value);
      else if (findPendingReview(store, session.value) !== null)
        await reviewOnce(session.value, (reviewed) => retryReview(parts, reviewed));
      keepUnsentTurn(parts, sessionId);
      return showResult(parts, sessionId);
    },

    result({ sessionId }) {
      const session = findWholeSession(store, sessionId);
      if (!session.ok) return session;
      keepUnsentTurn(parts, sessionId);
      return showResult(parts, sessionId);
    },

    async assessUnsentTurn({ sessionId, turnId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      const recording = recordings.listUnsent(sessionId).find((one) => one.turnId === turnId);
      if (recording === undefined) return failed('turn.not_found');
      await recognition.assess(session.value, recording, null);
      void coach.release(sessionId);
      return showResult(parts, sessionId);
    },

    async retryTranscription({ sessionId }) {
      const session = findSession(store, sessionId);
      if (!session.ok) return session;
      if (session.value.status !== 'completed') return failed('turn.not_ready', { detail: 'not scored yet' });
      const written = await runExclusively({ sessionId, kind: 'transcription' }, (now) =>
        transcribeRemaining(parts, now),
      );
      return written.ok ? showResult(parts, sessionId) : written;
    },

    finishDueSessions: ({ isUpToDate }) =>
      finishDueSessions(parts, {
        isUpToDate,
        isShown: (sessionId) => shownSessions.has(sessionId),
        completeOnce,
        async reviewOnce(due) {
          await reviewOnce(due, (session) => countingFailure(session, retryScheduledReview(parts, session)));
        },
      }),

    async scoreLateTurns(closing) {
      for (const late of findLateTurns(store, triedLateTurns)) {
        if (closing.aborted) return;
        await scoreLateOnce(late, closing);
      }
      for (const rescored of findRescoredSessions(store)) {
        // Each session takes up to a second, and requests from the windows must be answered in between.
        await setImmediate();
        if (closing.aborted) return;
        await updateScoresOnce(rescored);
      }
    },
  };
}
