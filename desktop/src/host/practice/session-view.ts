/** A session as the screens show it, derived from its rows alone, so that a restarted host is in the same place. */
import type { HeardTurn, ObjectiveProgress, ResultView, SessionView } from '@parley/contract';
import { assertNever } from '@parley/domain';
import { and, asc, eq } from 'drizzle-orm';
import type { Catalogue } from '../catalogue/index.ts';
import { feedbackDetails, scoringAttempts, type Store } from '../store/index.ts';
import { countedSeconds } from './counted-time.ts';
import { hintLevelOf } from './opened-hints.ts';
import { isCoachsTurn, isLive } from './whose-turn.ts';
import { hasEnded, interactionIdOf, type Session } from './session-rows.ts';

function phaseOf(store: Store, session: Session): SessionView['phase'] {
  switch (session.status) {
    case 'completed':
      return 'scored';
    case 'failed_to_generate_score':
      return 'scoring_failed';
    case 'in_progress':
      if (scoringOf(store, session) !== null) return 'scoring';
      if (session.pausedAt !== null) return 'paused';
      if (hasEnded(session)) return 'ended';
      return isCoachsTurn(session) ? 'coach_turn' : 'learner_turn';
    default:
      return assertNever(session.status);
  }
}

type Waiting = typeof scoringAttempts.$inferSelect;

const waitingFor = (store: Store, { id }: Pick<Session, 'id'>, waitsFor: Waiting['waitsFor']): Waiting | null =>
  store.db
    .select()
    .from(scoringAttempts)
    .where(and(eq(scoringAttempts.sessionId, id), eq(scoringAttempts.waitsFor, waitsFor)))
    .get() ?? null;

export const scoringOf = (store: Store, session: Pick<Session, 'id'>): Waiting | null =>
  waitingFor(store, session, 'scores');

/** What a live coach is still to say of a session that has its scores. */
export const reviewOf = (store: Store, session: Pick<Session, 'id'>): Waiting | null =>
  waitingFor(store, session, 'review');

export function toSessionView(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  session: Session,
  waitingTurn: HeardTurn | null,
): SessionView {
  const practice = catalogue.practice(session.practiceId);
  const phase = phaseOf(store, session);
  const isRunning = phase === 'learner_turn' || phase === 'coach_turn' || phase === 'ended';
  const objectives: ObjectiveProgress[] = catalogue.objectivesOf(session.practiceId).map((objective) => ({
    objectiveId: objective.objectiveId,
    description: objective.description,
    provedBy: session.completedObjectives.find((done) => done.objectiveId === objective.objectiveId)?.words ?? null,
  }));
  return {
    sessionId: session.id,
    practiceId: session.practiceId,
    // A practice that was withdrawn must not make its sessions unreadable.
    title: practice?.title ?? 'A practice that was withdrawn',
    scenario: practice?.scenario ?? '',
    coach: catalogue.coach(session.agentId),
    difficulty: session.difficulty,
    communicationStyle: session.communicationStyle,
    coachKind: isLive(session) ? 'live' : 'guided',
    phase,
    turns: session.entireConversation,
    objectives,
    waitingTurn,
    hintLevel: hintLevelOf(store, session),
    startedAt: session.createdAt,
    durationS: isRunning ? countedSeconds(store, session) : session.duration,
  };
}

export function toResultView(
  parts: { store: Store; catalogue: Catalogue },
  session: Session,
  unsent: HeardTurn[],
): ResultView {
  return {
    session: toSessionView(parts, session, null),
    status: session.status,
    overall: session.score,
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
    isReviewWaiting: reviewOf(parts.store, session) !== null,
    endedAt: endOf(parts.store, session),
  };
}

/** Feedback is written at the end, and is never changed: the birth of the first is the session's end. */
function endOf(store: Store, session: Session): Date {
  const scoring = scoringOf(store, session);
  if (scoring !== null) return scoring.endedAt;
  const interactionId = interactionIdOf(store, session);
  if (interactionId === null) return session.updatedAt;
  const written = store.db
    .select({ createdAt: feedbackDetails.createdAt })
    .from(feedbackDetails)
    .where(eq(feedbackDetails.interactionId, interactionId))
    .orderBy(asc(feedbackDetails.createdAt))
    .get();
  return written?.createdAt ?? session.updatedAt;
}
