/** Ends a session for the learner. Scores follow, unless it is too short to be scored. */
import { transitionPractice } from '@parley/domain';
import { scoringAttempts, updateRow } from '../../store/index.ts';
import { activeSecondsAtEnd, deleteSessionClock } from '../session/active-time.ts';
import { deleteHints } from '../session/opened-hints.ts';
import type { Session } from '../session/session-rows.ts';
import { findPendingScoring } from '../session/session-view.ts';
import type { CompletionParts } from './completion-parts.ts';
import { commitWaitingRecording } from './late-transcription.ts';
import { recordTurns } from './record-turns.ts';
import { deletePendingScoring } from './scoring-attempts.ts';

/** Ends the session for the learner before it is scored, so it stays ended if scoring fails. */
export function endSession({ store, recordings }: CompletionParts, session: Session): void {
  store.transaction(() => {
    if (findPendingScoring(store, session) !== null) return;
    const now = store.clock.now();
    store.db
      .insert(scoringAttempts)
      .values({ sessionId: session.id, attempts: 0, endedAt: now, nextAttemptAt: now })
      .run();
    commitWaitingRecording({ store, recordings }, session);
    recordings.keepWaitingAsUnsent(session.id);
    deleteHints(store, session.id);
    if (session.status !== 'in_progress') return;
    const duration = activeSecondsAtEnd(store, session);
    updateRow(store, 'practiceHistory', session.id, { duration, pausedAt: null });
    deleteSessionClock(store, session.id);
  });
}

/** Ends an abandoned session that has too few turns to score. */
export function completeUnscored(completion: CompletionParts, session: Session): void {
  const { store, recordings } = completion;
  const move = transitionPractice(session.status, { type: 'scored' });
  if (!move.ok) return;
  store.transaction(() => {
    commitWaitingRecording({ store, recordings }, session);
    updateRow(store, 'practiceHistory', session.id, { status: move.status, pausedAt: null });
    recordTurns(store, session, session.entireConversation);
    deletePendingScoring(store, session.id);
    deleteHints(store, session.id);
    deleteSessionClock(store, session.id);
    recordings.keepWaitingAsUnsent(session.id);
  });
  recordings.remove(session.id, ['set_aside']);
}
