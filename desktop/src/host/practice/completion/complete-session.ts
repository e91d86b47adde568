/** Completes a session: scores, feedback, summary and word list in one transaction. */
import {
  type Assessment,
  type CoachReview,
  type CompletedObjective,
  packAssessment,
  SCORE_DIMENSIONS,
  scoreSession,
  type SessionScores,
  transitionPractice,
  type Turn,
  unpackAssessment,
} from '@parley/domain';
import { insertRow, type Store, updateRow } from '../../store/index.ts';
import {
  findOrCreateInteraction,
  findSession,
  isUntranscribed,
  type Session,
  updateTurns,
} from '../session/session-rows.ts';
import { objectivesOfSession } from '../session/session-view.ts';
import { hadModelCoach } from '../session/turn-order.ts';
import type { CompletionParts } from './completion-parts.ts';
import { recordTurns } from './record-turns.ts';
import { needsReview } from './request-review.ts';
import { deletePendingScoring, scheduleRetry } from './scoring-attempts.ts';
import { soundsToWorkOn } from './sounds-to-work-on.ts';
import { type StoredReview, writeReview } from './write-review.ts';

export interface Scored {
  turns: Turn[];
  /** Whether every turn was transcribed. A transcribed turn may still have no words. */
  isFullyTranscribed: boolean;
}

export const collectAssessments = (turns: readonly Turn[]): Assessment[] =>
  turns.flatMap((turn) => (turn.role === 'learner' && turn.assessment !== null ? [turn.assessment] : []));

/** Rows store rounded times. Scoring the rounded values gives the same scores on each device. */
const asStored = (assessment: Assessment): Assessment => unpackAssessment(packAssessment(assessment));

interface Judged extends Scored {
  judged: CoachReview | null;
  /** Whether a pending or abandoned review is left as it is. */
  keepsReview?: boolean;
}

/** Runs once for the scores, and again if the review or a late score arrives. */
export function completeSession(
  completion: CompletionParts,
  session: Session,
  { turns, isFullyTranscribed, judged, keepsReview = false }: Judged,
): void {
  const { store, recordings } = completion;
  const isScored = session.status === 'completed';
  if (!isScored && !transitionPractice(session.status, { type: 'scored' }).ok) return;
  const objectives = objectivesOfSession(completion, session);
  const completed = [...readCompletedObjectives(store, session)];
  for (const proof of judged?.proofs ?? [])
    if (isNewProof(proof, { turns, objectives, completed })) completed.push(proof);
  const wasFullyJudged = judged?.proofs !== undefined && isFullyTranscribed;
  const objectivesJudged =
    completed.length >= objectives.length || wasFullyJudged || !hasUnjudgedTurn(session, { turns, completed });
  const assessments = collectAssessments(turns).map(asStored);
  // Without an answer or a judgement, the objectives have no score: a dash is shown instead of 0.
  const hasShare = objectivesJudged && turns.some(({ role }) => role === 'learner');
  const scores = scoreSession({
    communicationStyle: session.communicationStyle,
    assessments,
    objectivesDone: completed.length,
    objectivesTotal: hasShare ? Math.max(objectives.length, completed.length) : 0,
    // Only a model coach judges language quality; otherwise it stays null.
    languageQuality: judged?.languageQuality ?? null,
  });
  const { difficulty } = session;
  const sounds = soundsToWorkOn(completion, session);
  const review = writeReview({ turns, objectives, completed, objectivesJudged, scores, difficulty, ...sounds }, judged);
  store.transaction(() => {
    // Writing to a session that was deleted meanwhile would bring it back on every device.
    if (!findSession(store, session.id).ok) return;
    updateTurns(store, session, turns);
    updateRow(store, 'practiceHistory', session.id, {
      status: 'completed',
      completedObjectives: completed,
      ...scoreColumns(scores),
      feedback: review.feedback,
      summary: review.summary,
    });
    storeFeedback(store, session, { scores, review });
    recordTurns(store, session, turns);
    if (keepsReview) return;
    const isReviewed = judged !== null || !needsReview({ entireConversation: turns });
    if (isReviewed || !scheduleRetry(completion, { sessionId: session.id, waitsFor: 'review', attempts: 1 }))
      deletePendingScoring(store, session.id);
  });
  recordings.remove(session.id, ['set_aside']);
}

/** Reads the row again because the coach may have proved an objective while the session was scored. */
function readCompletedObjectives(store: Store, session: Session): readonly CompletedObjective[] {
  const current = findSession(store, session.id);
  return current.ok ? current.value.completedObjectives : session.completedObjectives;
}

type ObjectiveContext = { turns: readonly Turn[]; completed: readonly CompletedObjective[] };

/** A proof counts if its objective belongs to this practice and is still open, and its turn belongs to this session. */
const isNewProof = (
  { objectiveId, turnId }: CompletedObjective,
  {
    turns,
    objectives,
    completed,
  }: ObjectiveContext & { objectives: readonly Pick<CompletedObjective, 'objectiveId'>[] },
): boolean =>
  objectives.some((one) => one.objectiveId === objectiveId) &&
  turns.some((turn) => turn.role === 'learner' && turn.turnId === turnId) &&
  !completed.some((done) => done.objectiveId === objectiveId);

/** Returns whether a turn was never judged, because it was transcribed late or the coach never replied to it. */
function hasUnjudgedTurn(session: Session, { turns, completed }: ObjectiveContext): boolean {
  if (!hadModelCoach(session)) return false;
  const wasWordless = new Set(session.entireConversation.filter(isUntranscribed).map(({ turnId }) => turnId));
  const lastAnswered = turns.findLastIndex(({ role }) => role === 'coach');
  const proofOf = new Set(completed.map(({ turnId }) => turnId));
  return turns.some(
    (turn, at) =>
      turn.role === 'learner' && !proofOf.has(turn.turnId) && (at > lastAnswered || wasWordless.has(turn.turnId)),
  );
}

const scoreColumns = (scores: SessionScores) => ({
  score: scores.overall,
  accuracyScore: scores.accuracy,
  fluencyScore: scores.fluency,
  prosodyScore: scores.prosody,
  completenessScore: scores.completeness,
  pronScore: scores.pron,
  wordsScore: scores.words,
});

function storeFeedback(
  store: Store,
  session: Session,
  { scores, review }: { scores: SessionScores; review: StoredReview },
): void {
  insertRow(store, 'feedbackDetails', {
    feedbackId: store.newId(),
    interactionId: findOrCreateInteraction(store, session).interactionId,
    userId: session.userId,
    performanceCategories: [...SCORE_DIMENSIONS, 'pron' as const, 'words' as const].map((category) => ({
      category,
      score: scores[category],
    })),
    suggestions: [review.feedback.fix, review.feedback.nextStep],
    score: scores.overall,
  });
}
