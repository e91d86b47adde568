/**
 * Scores what this device said in a session that another device has ended: the other device has no recording of it, or
 * completed the session before it arrived.
 */
import {
  type Assessment,
  type CoachReview,
  type LearnerTurn,
  localDayFormatter,
  readFeedbackText,
  scoredWords,
  type SessionId,
  type Turn,
  isLanguageJudged,
} from '@parley/domain';
import { and, eq, gte, inArray, isNotNull, isNull, max, ne, or, sql } from 'drizzle-orm';
import {
  aiConversations,
  practiceHistory,
  recordings as recordingRows,
  type Store,
  wordAttempts,
} from '../../store/index.ts';
import { findWholeSession, isUntranscribed, type Session, updateTurns } from '../session/session-rows.ts';
import { completeSession } from './complete-session.ts';
import type { CompletionParts } from './completion-parts.ts';
import { recordTurns } from './record-turns.ts';
import { withAssessment } from './score-session.ts';

const DAY_MS = 24 * 3_600_000;
/** Words of older sessions are not added, which keeps the search fast. */
const LOGGED_WITHIN_MS = 90 * DAY_MS;
/** The dates in two time zones differ by at most this much. */
const LONGEST_DATE_DIFFERENCE_MS = 2 * DAY_MS;

export interface LateTurns {
  sessionId: SessionId;
  turnIds: ReadonlySet<string>;
}

/** Finds turns of completed sessions that were recorded here and have no score, or whose words are not in the log. */
export function findLateTurns(store: Store, tried: ReadonlySet<string> = new Set()): LateTurns[] {
  const found = findCandidates(store).filter(({ turnId }) => !tried.has(turnId));
  const unlogged = withoutLoggedWords(
    store,
    found.filter(({ isScored }) => isScored),
  );
  const late = [...found.filter(({ isScored }) => !isScored), ...unlogged];
  return [...Map.groupBy(late, ({ sessionId }) => sessionId)].map(([sessionId, turns]) => ({
    sessionId,
    turnIds: new Set(turns.map(({ turnId }) => turnId)),
  }));
}

const findCandidates = (store: Store) =>
  store.db
    .select({
      sessionId: practiceHistory.id,
      turnId: aiConversations.conversationId,
      saidAt: aiConversations.saidAt,
      createdAt: aiConversations.createdAt,
      isScored: sql<number>`${isNotNull(aiConversations.assessment)}`.mapWith(Boolean),
    })
    .from(practiceHistory)
    .innerJoin(recordingRows, eq(recordingRows.sessionId, practiceHistory.id))
    .innerJoin(aiConversations, eq(aiConversations.conversationId, recordingRows.turnId))
    .where(
      and(
        eq(practiceHistory.userId, store.identity().userId),
        eq(practiceHistory.status, 'completed'),
        isNull(practiceHistory.deletedAt),
        eq(recordingRows.state, 'sent'),
        isNull(aiConversations.deletedAt),
        ne(aiConversations.content, ''),
        or(
          isNull(aiConversations.assessment),
          gte(practiceHistory.updatedAt, new Date(store.clock.now().getTime() - LOGGED_WITHIN_MS)),
        ),
      ),
    )
    .all()
    // Rows from older app versions have no time of their own.
    .map(({ createdAt, ...turn }) => ({ ...turn, saidAt: turn.saidAt ?? createdAt }));

type Candidate = ReturnType<typeof findCandidates>[number];

function withoutLoggedWords(store: Store, turns: readonly Candidate[]): Candidate[] {
  const sessionIds = [...new Set(turns.map(({ sessionId }) => sessionId))];
  const logged = new Set(
    store.db
      .selectDistinct({ turnId: wordAttempts.turnId })
      .from(wordAttempts)
      .where(inArray(wordAttempts.sessionId, sessionIds))
      .all()
      .map(({ turnId }) => turnId),
  );
  const unlogged = turns.filter(({ turnId }) => !logged.has(turnId));
  if (unlogged.length === 0) return [];
  // An app without the log has already counted the words of answers that were said before its last count.
  const firstSaidMs = Math.min(...unlogged.map(({ saidAt }) => saidAt.getTime()));
  const countedUntil = findLastCount(store, new Date(firstSaidMs));
  return unlogged.filter(({ saidAt }) => countedUntil === null || saidAt > countedUntil);
}

/** Days are indexed, times are not. */
function findLastCount(store: Store, since: Date): Date | null {
  const firstDay = localDayFormatter(store.timeZone())(new Date(since.getTime() - LONGEST_DATE_DIFFERENCE_MS));
  const last = store.db
    .select({ at: max(wordAttempts.at) })
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.userId, store.identity().userId),
        gte(wordAttempts.day, firstDay),
        eq(wordAttempts.kind, 'counted'),
      ),
    )
    .get();
  return last?.at ?? null;
}

/** Recalculates the session's scores with these turns; what the coach said, or is still to say, stays. */
export async function scoreLateTurns(
  completion: CompletionParts,
  { entireConversation, id }: Session,
  { turnIds, closing }: Pick<LateTurns, 'turnIds'> & { closing: AbortSignal },
): Promise<void> {
  const { store } = completion;
  const assessments = new Map<string, Assessment>();
  for (const turn of entireConversation) {
    if (closing.aborted) break;
    if (turn.role !== 'learner' || !turnIds.has(turn.turnId)) continue;
    const { assessment } = await scoreIfPossible(completion, turn);
    if (assessment !== null) assessments.set(turn.turnId, assessment);
  }
  store.transaction(() => {
    // Other devices may have changed the session meanwhile. Writing to a deleted one would bring it back on all of them.
    const session = findWholeSession(store, id);
    if (session.ok) storeAssessments(completion, session.value, assessments);
  });
}

function storeAssessments(
  completion: CompletionParts,
  session: Session,
  assessments: ReadonlyMap<string, Assessment>,
): void {
  const { store } = completion;
  const turns = session.entireConversation.map((turn) => {
    const assessment = assessments.get(turn.turnId);
    return turn.role === 'learner' && turn.assessment === null && assessment !== undefined
      ? { ...turn, assessment }
      : turn;
  });
  const late = turns.filter(
    (turn, place) =>
      turn !== session.entireConversation[place] || (assessments.has(turn.turnId) && hasScoredWords(turn)),
  );
  if (late.length === 0) return;
  // A session that was too short to be scored has no feedback.
  if (session.feedback !== null) {
    const isFullyTranscribed = !turns.some(isUntranscribed);
    const judged = storedReview(session);
    return completeSession(completion, session, { turns, isFullyTranscribed, judged, keepsReview: true });
  }
  updateTurns(store, session, turns);
  recordTurns(store, session, late);
}

async function scoreIfPossible(completion: CompletionParts, turn: LearnerTurn): Promise<LearnerTurn> {
  try {
    return await withAssessment(completion, turn);
  } catch (error) {
    completion.logger.warn({ err: error, turnId: turn.turnId }, 'turn_scoring_failed');
    return turn;
  }
}

const hasScoredWords = (turn: Turn): boolean =>
  turn.role === 'learner' && turn.assessment !== null && scoredWords(turn.assessment).length > 0;

/** The coach has already judged these words, so it is not asked again. */
export function storedReview({ feedback, summary }: Session): CoachReview | null {
  if (feedback?.corrections === undefined || !isLanguageJudged(feedback)) return null;
  const textOf = (stored: string | null): string => readFeedbackText(stored ?? '').text ?? '';
  return {
    best: textOf(feedback.best),
    fix: textOf(feedback.fix),
    nextStep: textOf(feedback.nextStep),
    summary: textOf(summary),
    corrections: feedback.corrections,
    remember: [],
    languageQuality: feedback.languageQuality ?? null,
    proofs: [],
  };
}
