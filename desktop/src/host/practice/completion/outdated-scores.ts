/**
 * Recalculates the scores of a session that leave out an answer. This happens when two devices score their late answers
 * at the same time: neither knows of the other's, and the scores of one replace those of the other.
 */
import { type Assessment, SCORE_DIMENSIONS, scoreSession } from '@parley/domain';
import { and, count, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import {
  aiConversations,
  feedbackDetails,
  practiceHistory,
  recordings as recordingRows,
  type Store,
  userCourseInteraction,
} from '../../store/index.ts';
import { isUntranscribed, type Session } from '../session/session-rows.ts';
import { collectAssessments, completeSession } from './complete-session.ts';
import type { CompletionParts } from './completion-parts.ts';
import { storedReview } from './late-scores.ts';

const DAY_MS = 24 * 3_600_000;
/** The scores of older sessions are not checked, which keeps the search fast. */
const CHECKED_WITHIN_MS = 90 * DAY_MS;
/** Without a limit, two app versions that measure differently would correct each other at every start. */
const MOST_SCORINGS = 6;

export interface RescoredSession {
  sessionId: Session['id'];
  /** Changes whenever the scores or the number of assessed answers change. */
  state: string;
}

/**
 * Finds recent sessions that were recorded here and scored more than once. Their scores are seldom wrong, but finding
 * out requires reading all of their turns.
 */
export function findRescoredSessions(store: Store): RescoredSession[] {
  const assessedCount = store.db
    .select({ count: count() })
    .from(aiConversations)
    .where(
      and(
        eq(aiConversations.sessionId, practiceHistory.id),
        isNull(aiConversations.deletedAt),
        isNotNull(aiConversations.assessment),
      ),
    );
  const scoredAgain = store.db
    .select({ interactionId: feedbackDetails.interactionId })
    .from(feedbackDetails)
    .groupBy(feedbackDetails.interactionId)
    .having(and(gt(count(), 1), lt(count(), MOST_SCORINGS)));
  const theirSessions = store.db
    .select({ sessionId: sql`${userCourseInteraction.details} ->> '$.sessionId'` })
    .from(userCourseInteraction)
    .where(inArray(userCourseInteraction.interactionId, scoredAgain));
  const recordedHere = store.db
    .select({ sessionId: recordingRows.sessionId })
    .from(recordingRows)
    .where(eq(recordingRows.state, 'sent'));
  return store.db
    .select({
      sessionId: practiceHistory.id,
      pron: practiceHistory.pronScore,
      words: practiceHistory.wordsScore,
      assessed: sql<number>`(${assessedCount})`,
    })
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.userId, store.identity().userId),
        eq(practiceHistory.status, 'completed'),
        isNull(practiceHistory.deletedAt),
        gte(practiceHistory.updatedAt, new Date(store.clock.now().getTime() - CHECKED_WITHIN_MS)),
        inArray(practiceHistory.id, theirSessions),
        inArray(practiceHistory.id, recordedHere),
      ),
    )
    .all()
    .map(({ sessionId, ...state }) => ({ sessionId, state: JSON.stringify([sessionId, state]) }));
}

/**
 * Writes nothing if the scores already cover all answers, so two devices that both do this come to the same result and
 * stop.
 */
export function updateScores(completion: CompletionParts, session: Session): void {
  const { entireConversation: turns } = session;
  if (session.status !== 'completed' || areScoresOf(session, collectAssessments(turns))) return;
  const isFullyTranscribed = !turns.some(isUntranscribed);
  completeSession(completion, session, { turns, isFullyTranscribed, judged: storedReview(session), keepsReview: true });
}

const MEASURED = [...SCORE_DIMENSIONS, 'pron', 'words'] as const;

/** The objectives are not rewritten, because another device may know of more. */
function areScoresOf(session: Session, assessments: Assessment[]): boolean {
  const { communicationStyle } = session;
  const objectives = { objectivesDone: 0, objectivesTotal: 0, languageQuality: null };
  const scores = scoreSession({ communicationStyle, assessments, ...objectives });
  return MEASURED.every((name) => session[`${name}Score`] === scores[name]);
}
