/**
 * Recalculates the scores of a session if they omit an answer. Two devices that score their late answers at the same
 * moment do not know each other's, and the scores of one replace those of the other.
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
/** The scores of older sessions are left alone, so that the search stays quick. */
const CHECKED_WITHIN_MS = 90 * DAY_MS;
/** Two versions of the app that measure differently would otherwise correct each other at every start. */
const MOST_SCORINGS = 6;

export interface RescoredSession {
  sessionId: Session['id'];
  /** Changes with the scores and the number of assessed answers. */
  state: string;
}

/**
 * Finds recent sessions that were recorded here and scored more than once. Their scores are seldom wrong, but to find out, all of their turns
 * have to be read.
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

/** Writes nothing if the scores are those of all answers, so two devices that both do this agree and stop. */
export function updateScores(completion: CompletionParts, session: Session): void {
  const { entireConversation: turns } = session;
  if (session.status !== 'completed' || areScoresOf(session, collectAssessments(turns))) return;
  const isFullyTranscribed = !turns.some(isUntranscribed);
  completeSession(completion, session, { turns, isFullyTranscribed, judged: storedReview(session), keepsReview: true });
}

const MEASURED = [...SCORE_DIMENSIONS, 'pron', 'words'] as const;

/** The objectives are left out, because another device may know more of them. */
function areScoresOf(session: Session, assessments: Assessment[]): boolean {
  const { communicationStyle } = session;
  const objectives = { objectivesDone: 0, objectivesTotal: 0, languageQuality: null };
  const scores = scoreSession({ communicationStyle, assessments, ...objectives });
  return MEASURED.every((name) => session[`${name}Score`] === scores[name]);
}
