/** Derives a session's view from its rows alone, so that it is the same after a host restart. */
import type { EarlierFeedback, WaitingTurn, ObjectiveProgress, ResultView, SessionView } from '@parley/contract';
import { assertNever, RecordingId } from '@parley/domain';
import { and, asc, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Catalogue, PracticeObjective } from '../../catalogue/index.ts';
import type { Recordings } from '../../recordings/index.ts';
import { feedbackDetails, practiceHistory, scoringAttempts, type Store } from '../../store/index.ts';
import { activeSeconds } from './active-time.ts';
import { canExtend } from './extend-scene.ts';
import { readDraft } from './draft.ts';
import { readHintLevel } from './opened-hints.ts';
import { isCoachsTurn, hasModelCoach } from './turn-order.ts';
import { hasEnded, findInteractionId, isUntranscribed, type Session } from './session-rows.ts';

function sessionPhase(store: Store, session: Session): SessionView['phase'] {
  switch (session.status) {
    case 'completed':
      return 'scored';
    case 'failed_to_generate_score':
      return 'scoring_failed';
    case 'in_progress':
      if (findPendingScoring(store, session) !== null) return 'scoring';
      if (session.pausedAt !== null) return 'paused';
      if (hasEnded(session)) return 'ended';
      return isCoachsTurn(session) ? 'coach_turn' : 'learner_turn';
    default:
      return assertNever(session.status);
  }
}

/** An ended session keeps the objectives that it had at its end, whatever the school has changed since. */
export function objectivesOfSession(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  session: Session,
): PracticeObjective[] {
  if (session.status === 'in_progress') return catalogue.objectivesOf(session.practiceId);
  const proved = new Set(session.completedObjectives.map(({ objectiveId }) => objectiveId));
  return catalogue.objectivesAt(session.practiceId, sessionEnd(store, session), proved);
}

type PendingAttempt = typeof scoringAttempts.$inferSelect;

const findPending = (
  store: Store,
  { id }: Pick<Session, 'id'>,
  waitsFor: PendingAttempt['waitsFor'],
): PendingAttempt | null =>
  store.db
    .select()
    .from(scoringAttempts)
    .where(and(eq(scoringAttempts.sessionId, id), eq(scoringAttempts.waitsFor, waitsFor)))
    .get() ?? null;

export const findPendingScoring = (store: Store, session: Pick<Session, 'id'>): PendingAttempt | null =>
  findPending(store, session, 'scores');

/** Returns the pending review of a session that already has its scores. */
export const findPendingReview = (store: Store, session: Pick<Session, 'id'>): PendingAttempt | null =>
  findPending(store, session, 'review');

export function toSessionView(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  session: Session,
  waitingTurn: WaitingTurn | null,
): SessionView {
  const practice = catalogue.practice(session.practiceId);
  const phase = sessionPhase(store, session);
  const isRunning = phase === 'learner_turn' || phase === 'coach_turn' || phase === 'ended';
  const objectives = objectivesOfSession({ store, catalogue }, session).map((objective): ObjectiveProgress => {
    const proof = session.completedObjectives.find((done) => done.objectiveId === objective.objectiveId);
    return {
      objectiveId: objective.objectiveId,
      description: objective.description,
      provedBy: proof?.words ?? null,
      provedIn: proof?.turnId ?? null,
    };
  });
  return {
    sessionId: session.id,
    practiceId: session.practiceId,
    // A withdrawn practice must not make its sessions unreadable.
    title: practice?.title ?? null,
    scenario: practice === null ? '' : catalogue.scenarioFor(practice, session.agentId),
    coach: catalogue.coach(session.agentId),
    difficulty: session.difficulty,
    communicationStyle: session.communicationStyle,
    coachKind: hasModelCoach(session) ? 'model' : 'guided',
    hasScript: (practice?.dialogue ?? null) !== null,
    canExtend: phase === 'ended' && canExtend({ catalogue }, session),
    phase,
    turns: session.entireConversation,
    objectives,
    waitingTurn,
    hintLevel: readHintLevel(store, session),
    startedAt: session.createdAt,
    durationS: isRunning ? activeSeconds(store, session) : session.duration,
  };
}

export function toResultView(
  parts: { store: Store; catalogue: Catalogue; recordings: Pick<Recordings, 'wasMadeHere'> },
  session: Session,
  unsent: WaitingTurn[],
): ResultView {
  return {
    session: toSessionView(parts, session, null),
    status: session.status,
    overall: session.score,
    earlierScores: readEarlierScores(parts.store, session),
    earlierFeedback: readEarlierFeedback(parts.store, session),
    dimensions: {
      accuracy: session.accuracyScore,
      fluency: session.fluencyScore,
      prosody: session.prosodyScore,
      completeness: session.completenessScore,
      pron: session.pronScore,
      words: session.wordsScore,
    },
    feedback: session.feedback,
    summary: session.summary,
    unsent,
    unsentText: readDraft(parts.store, session.id) || null,
    isReviewWaiting: findPendingReview(parts.store, session) !== null,
    toScoreElsewhere: countTurnsToScoreElsewhere(parts, session),
    endedAt: sessionEnd(parts.store, session),
  };
}

/** A turn without words cannot be scored. This device either scores its own recordings itself or has lost them. */
const countTurnsToScoreElsewhere = (
  { recordings }: { recordings: Pick<Recordings, 'wasMadeHere'> },
  { status, entireConversation }: Session,
): number =>
  status !== 'completed'
    ? 0
    : entireConversation.filter(
        (turn) =>
          turn.role === 'learner' &&
          !isUntranscribed(turn) &&
          turn.assessment === null &&
          turn.recordingId !== null &&
          !recordings.wasMadeHere(RecordingId.parse(turn.recordingId)),
      ).length;

/** Learners do not read more than this. */
const EARLIER_SCORES_SHOWN = 4;

const readEarlierScores = (store: Store, { practiceId, createdAt }: Session): number[] =>
  store.db
    .select({ score: practiceHistory.score })
    .from(practiceHistory)
    .where(
      and(
        eq(practiceHistory.userId, store.identity().userId),
        eq(practiceHistory.practiceId, practiceId),
        eq(practiceHistory.status, 'completed'),
        isNotNull(practiceHistory.score),
        isNull(practiceHistory.deletedAt),
        lt(practiceHistory.createdAt, createdAt),
      ),
    )
    .orderBy(desc(practiceHistory.createdAt))
    .limit(EARLIER_SCORES_SHOWN)
    .all()
    .flatMap(({ score }) => (score === null ? [] : [score]))
    .toReversed();

/** Each scoring of a session leaves its feedback. Feedback that equals the next is left out. */
function readEarlierFeedback(store: Store, session: Session): EarlierFeedback[] {
  const interactionId = findInteractionId(store, session);
  if (interactionId === null) return [];
  const all = store.db
    .select({
      feedbackId: feedbackDetails.feedbackId,
      at: feedbackDetails.createdAt,
      overall: feedbackDetails.score,
      categories: feedbackDetails.performanceCategories,
      suggestions: feedbackDetails.suggestions,
    })
    .from(feedbackDetails)
    .where(eq(feedbackDetails.interactionId, interactionId))
    .orderBy(desc(feedbackDetails.createdAt), desc(feedbackDetails.feedbackId))
    .all();
  const contentOf = (feedback: EarlierFeedback | undefined): string =>
    JSON.stringify([feedback?.overall, feedback?.categories, feedback?.suggestions]);
  return all.filter((feedback, place) => place > 0 && contentOf(feedback) !== contentOf(all[place - 1]));
}

/**
 * Feedback is written at the end and never changes, so the first feedback's creation time is the end of the session.
 */
function sessionEnd(store: Store, session: Session): Date {
  const scoring = findPendingScoring(store, session);
  if (scoring !== null) return scoring.endedAt;
  const interactionId = findInteractionId(store, session);
  if (interactionId === null) return session.updatedAt;
  const written = store.db
    .select({ createdAt: feedbackDetails.createdAt })
    .from(feedbackDetails)
    .where(eq(feedbackDetails.interactionId, interactionId))
    .orderBy(asc(feedbackDetails.createdAt))
    .get();
  return written?.createdAt ?? session.updatedAt;
}
