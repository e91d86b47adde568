/**
 * Scores what this device said in a session that another device has ended: the other one has no recording of it, or completed the session
 * before it arrived.
 */
import { type CoachReview, type LearnerTurn, readFeedbackText, scoredWords, type Turn } from '@parley/domain';
import { and, eq, gte, isNull, ne, notExists, or } from 'drizzle-orm';
import {
  aiConversations,
  practiceHistory,
  recordings as recordingRows,
  type Store,
  wordAttempts,
} from '../../store/index.ts';
import { findSession, isUntranscribed, type Session, updateTurns } from '../session/session-rows.ts';
import { completeSession } from './complete-session.ts';
import type { CompletionParts } from './completion-parts.ts';
import { recordTurns } from './record-turns.ts';
import { withAssessment } from './score-session.ts';

/** The words of older sessions are left alone, so that the search stays quick. */
const LOGGED_WITHIN_MS = 90 * 24 * 3_600_000;

interface LateTurns {
  session: Session;
  turnIds: ReadonlySet<string>;
}

/** Finds turns of completed sessions that were recorded here and have no score, or whose words are missing in the log. */
export function findLateTurns(store: Store): LateTurns[] {
  const { db } = store;
  const { userId } = store.identity();
  const loggedFrom = new Date(store.clock.now().getTime() - LOGGED_WITHIN_MS);
  const loggedWords = db
    .select({ id: wordAttempts.id })
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.sessionId, aiConversations.sessionId),
        eq(wordAttempts.turnId, aiConversations.conversationId),
      ),
    );
  // An app without the log has counted the words of these answers.
  const laterCounts = db
    .select({ id: wordAttempts.id })
    .from(wordAttempts)
    .where(
      and(
        eq(wordAttempts.userId, userId),
        eq(wordAttempts.kind, 'counted'),
        gte(wordAttempts.at, aiConversations.saidAt),
      ),
    );
  const found = db
    .select({ sessionId: practiceHistory.id, turnId: aiConversations.conversationId })
    .from(practiceHistory)
    .innerJoin(recordingRows, eq(recordingRows.sessionId, practiceHistory.id))
    .innerJoin(aiConversations, eq(aiConversations.conversationId, recordingRows.turnId))
    .where(
      and(
        eq(practiceHistory.userId, userId),
        eq(practiceHistory.status, 'completed'),
        isNull(practiceHistory.deletedAt),
        eq(recordingRows.state, 'sent'),
        isNull(aiConversations.deletedAt),
        ne(aiConversations.content, ''),
        or(
          isNull(aiConversations.assessment),
          and(gte(practiceHistory.updatedAt, loggedFrom), notExists(loggedWords), notExists(laterCounts)),
        ),
      ),
    )
    .all();
  return [...Map.groupBy(found, ({ sessionId }) => sessionId)].flatMap(([sessionId, turns]) => {
    const session = findSession(store, sessionId);
    return session.ok ? [{ session: session.value, turnIds: new Set(turns.map(({ turnId }) => turnId)) }] : [];
  });
}

/** The session's scores are worked out again with those of these turns; what the coach said stays. */
export async function scoreLateTurns(
  completion: CompletionParts,
  session: Session,
  turnIds: ReadonlySet<string>,
): Promise<void> {
  const { store } = completion;
  const turns: Turn[] = [];
  for (const turn of session.entireConversation)
    turns.push(turn.role === 'learner' && turnIds.has(turn.turnId) ? await scoreIfPossible(completion, turn) : turn);
  const late = turns.filter((turn) => turnIds.has(turn.turnId) && hasScoredWords(turn));
  // Writing to a session that was deleted meanwhile would bring it back on every device.
  if (late.length === 0 || !findSession(store, session.id).ok) return;
  // A session that was too short to be scored has no feedback.
  if (session.feedback !== null) {
    const isFullyTranscribed = !turns.some(isUntranscribed);
    return completeSession(completion, session, { turns, isFullyTranscribed, judged: storedReview(session) });
  }
  store.transaction(() => {
    updateTurns(store, session, turns);
    recordTurns(store, session, late);
  });
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

/** The coach has judged these words already, so it is not asked again. */
function storedReview({ feedback, summary }: Session): CoachReview | null {
  if (feedback?.corrections === undefined) return null;
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
