/** Ends a session: scores, feedback, summary and word list, all in one transaction, or an honest word that scoring failed. */
import {
  type Assessment,
  type CoachReview,
  type CompletedObjective,
  type LearnerTurn,
  movePractice,
  ofFreeSpeech,
  ok,
  scoreSession,
  SCORE_DIMENSIONS,
  SCORING_ATTEMPTS,
  type SessionScores,
  type Turn,
} from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Answer } from '../answer/index.ts';
import type { Catalogue } from '../catalogue/index.ts';
import type { CloudCoach } from '../coach/index.ts';
import type { Logger } from '../logger.ts';
import { readSamples, type Recordings } from '../recordings/index.ts';
import { storeWordList } from '../review/index.ts';
import type { SpeechScorer } from '../scorer/index.ts';
import { insertRow, scoringAttempts, type Store, updateRow } from '../store/index.ts';
import { countedSecondsAtEnd, forgetClock } from './counted-time.ts';
import { forgetDraft } from './draft.ts';
import { reviewSession } from './guide.ts';
import { heldOf } from './live.ts';
import { forgetHints } from './opened-hints.ts';
import { findSession, interactionOf, isWordless, type Session, updateTurns } from './session-rows.ts';
import { reviewOf, scoringOf } from './session-view.ts';
import { isLive } from './whose-turn.ts';
import { keepWhatWaits, writeDown } from './write-down.ts';

export interface Completion {
  store: Store;
  catalogue: Catalogue;
  recordings: Recordings;
  scorer: SpeechScorer;
  coach: CloudCoach;
  chance: () => number;
  logger: Logger;
}

/** Waits between the tries, spread over a day; chance moves each by up to a quarter. */
const RETRY_AFTER_MS = [15, 60, 240, 1_080].map((minutes) => minutes * 60_000);

/** From here on the session is over, whatever happens while it is scored. */
export function endConversation({ store, recordings }: Completion, session: Session): void {
  store.transaction(() => {
    if (scoringOf(store, session) !== null) return;
    const now = store.clock.now();
    store.db
      .insert(scoringAttempts)
      .values({ sessionId: session.id, attempts: 0, endedAt: now, nextAttemptAt: now })
      .run();
    keepWhatWaits({ store, recordings }, session);
    recordings.keepUnsent(session.id);
    forgetDraft(store, session.id);
    forgetHints(store, session.id);
    if (session.status !== 'in_progress') return;
    const duration = countedSecondsAtEnd(store, session);
    updateRow(store, 'practiceHistory', session.id, { duration, pausedAt: null });
    forgetClock(store, session.id);
  });
}

/** Scores what is not scored yet, then completes; after the last try in vain the session says that it has no score. */
export async function scoreAndComplete(completion: Completion, session: Session): Promise<void> {
  const scored = await scoreMissing(completion, session);
  if (scored === null) {
    noteFailedTry(completion, session);
    return;
  }
  const { turns } = scored;
  const judged = await judge(completion, { ...session, entireConversation: turns });
  complete(completion, session, { ...scored, judged });
  await completion.coach.release(session.id);
}

/** What the coach could not say when the session ended: it says it now, and what it judges counts. False: it does not answer yet. */
export async function reviewLate(completion: Completion, session: Session): Promise<boolean> {
  const { entireConversation: turns } = session;
  const judged = await judge(completion, session);
  if (judged === null) return false;
  complete(completion, session, { turns, isHeard: !turns.some(isWordless), judged });
  return true;
}

/** The same, where nobody has asked for it: in vain, it is one of the tries. */
export async function reviewDue(completion: Completion, session: Session): Promise<void> {
  if (!(await reviewLate(completion, session))) noteFailedTry(completion, session);
}

/** Whether a coach is to say something of it: there was one, and there is something in words. */
const isForReview = (session: Pick<Session, 'entireConversation'>): boolean =>
  isLive(session) && session.entireConversation.some((turn) => turn.role === 'learner' && !isWordless(turn));

/** What a live coach says of it; without an answer the session is judged as a guided one, by what was measured here. */
async function judge({ coach, logger }: Completion, session: Session): Promise<CoachReview | null> {
  if (!isForReview(session)) return null;
  const review = await coach.review(heldOf(session));
  if (review.ok) return review.value;
  logger.warn({ sessionId: session.id, code: review.error.code }, 'the coach did not judge a session');
  return null;
}

const isMissing = (turn: Turn): turn is LearnerTurn & { recordingId: string } =>
  turn.role === 'learner' && turn.recordingId !== null && turn.assessment === null;

interface Scored {
  turns: Turn[];
  /** Whether somebody has listened to all of it. In what has no words all the same, there are none. */
  isHeard: boolean;
}

/** Null when a turn's score could not be had this time. */
async function scoreMissing(completion: Completion, session: Session): Promise<Scored | null> {
  const scored: Turn[] = [];
  let isHeard = true;
  for (const turn of session.entireConversation) {
    if (!isMissing(turn)) {
      scored.push(turn);
      continue;
    }
    try {
      const written = await writeDown(completion, session, turn);
      // What nobody could write down holds up no score: it has a dash.
      isHeard &&= written.ok;
      scored.push(written.ok ? await withScore(completion, session, written.value) : turn);
    } catch (error) {
      completion.logger.warn({ err: error, turnId: turn.turnId }, 'a turn could not be scored');
      return null;
    }
  }
  return { turns: scored, isHeard };
}

async function withScore(
  { recordings, scorer }: Completion,
  session: Session,
  turn: LearnerTurn,
): Promise<LearnerTurn> {
  if (!isMissing(turn) || isWordless(turn)) return turn;
  const assessment = await scorer.assess({ pcm: await readSamples(recordings, turn), text: turn.text });
  return { ...turn, assessment: isLive(session) ? ofFreeSpeech(assessment) : assessment };
}

/** Tries again to write down what has no words, and scores it. Once the coach has read it, it counts in the whole session too. */
export async function writeDownRest(completion: Completion, session: Session): Promise<Answer<void>> {
  const { store, coach, logger } = completion;
  const turns: Turn[] = [];
  let answer: Answer<void> = ok(undefined);
  for (const turn of session.entireConversation) {
    const written = turn.role === 'learner' && isWordless(turn) ? await writeDown(completion, session, turn) : ok(turn);
    if (!written.ok) answer = written;
    const said = written.ok ? written.value : turn;
    try {
      turns.push(said.role === 'learner' ? await withScore(completion, session, said) : said);
    } catch (error) {
      logger.warn({ err: error, turnId: said.turnId }, 'a turn could not be scored');
      turns.push(said);
    }
  }
  store.transaction(() => {
    updateTurns(store, session, turns);
    storeWordList(store, assessmentsOf(turns.filter((turn, place) => turn !== session.entireConversation[place])));
  });
  await coach.release(session.id);
  if (turns.some((turn, place) => turn.text !== session.entireConversation[place]?.text)) {
    tryAt(completion, { sessionId: session.id, waitsFor: 'review', attempts: 0 }, 0);
    await reviewLate(completion, { ...session, entireConversation: turns });
  }
  return answer;
}

export function forgetScoring({ store }: Completion, sessionId: string): void {
  store.db.delete(scoringAttempts).where(eq(scoringAttempts.sessionId, sessionId)).run();
}

/** After the last one a session says that it has no score; one that has its scores keeps what was measured. */
function noteFailedTry(completion: Completion, session: Session): void {
  const { store } = completion;
  store.transaction(() => {
    const waiting = scoringOf(store, session) ?? reviewOf(store, session);
    if (waiting === null || tryLater(completion, { ...waiting, attempts: waiting.attempts + 1 })) return;
    forgetScoring(completion, session.id);
    const move = movePractice(session.status, { type: 'scoring_gave_up' });
    if (move.ok) updateRow(store, 'practiceHistory', session.id, { status: move.status });
  });
}

type Try = Pick<typeof scoringAttempts.$inferSelect, 'sessionId' | 'waitsFor' | 'attempts'>;

/** False where it was tried often enough. */
function tryLater(completion: Completion, after: Try): boolean {
  const waitMs = RETRY_AFTER_MS[after.attempts - 1];
  if (after.attempts >= SCORING_ATTEMPTS || waitMs === undefined) return false;
  tryAt(completion, after, waitMs * (0.75 + 0.5 * completion.chance()));
  return true;
}

function tryAt({ store }: Completion, { sessionId, ...waits }: Try, inMs: number): void {
  const now = store.clock.now();
  const next = { ...waits, nextAttemptAt: new Date(now.getTime() + inMs) };
  store.db
    .insert(scoringAttempts)
    .values({ sessionId, endedAt: now, ...next })
    .onConflictDoUpdate({ target: scoringAttempts.sessionId, set: next })
    .run();
  store.touch('practice_history');
}

export const assessmentsOf = (turns: readonly Turn[]): Assessment[] =>
  turns.flatMap((turn) => (turn.role === 'learner' && turn.assessment !== null ? [turn.assessment] : []));

/** Once with its scores, and once more should its review come later. */
function complete(
  completion: Completion,
  session: Session,
  { turns, isHeard, judged }: Scored & { judged: CoachReview | null },
): void {
  const { store, catalogue, recordings } = completion;
  const isScored = session.status === 'completed';
  if (!isScored && !movePractice(session.status, { type: 'scored' }).ok) return;
  const objectives = catalogue.objectivesOf(session.practiceId);
  const completed = [...completedOf(store, session)];
  for (const proof of judged?.proofs ?? []) if (isNews(proof, { turns, objectives, completed })) completed.push(proof);
  const wasAllJudged = judged?.proofs !== undefined && isHeard;
  const objectivesJudged =
    completed.length >= objectives.length || wasAllJudged || !hasUnjudged(session, { turns, completed });
  const assessments = assessmentsOf(turns);
  // Who has not answered, or was not judged, has no share of the objectives: a dash, and not a 0.
  const hasShare = objectivesJudged && turns.some(({ role }) => role === 'learner');
  const scores = scoreSession({
    communicationStyle: session.communicationStyle,
    assessments,
    objectivesDone: completed.length,
    objectivesTotal: hasShare ? Math.max(objectives.length, completed.length) : 0,
    // Only a live coach judges language; what was not judged is not made up.
    languageQuality: judged?.languageQuality ?? null,
  });
  const measured = reviewSession({
    title: catalogue.practice(session.practiceId)?.title ?? '',
    turns,
    assessments,
    objectives,
    completed,
    objectivesJudged,
    scores,
  });
  const review = judged === null ? measured : asJudged(measured, judged);
  store.transaction(() => {
    updateTurns(store, session, turns);
    updateRow(store, 'practiceHistory', session.id, {
      status: 'completed',
      completedObjectives: completed,
      ...scoreColumns(scores),
      feedback: review.feedback,
      summary: review.summary,
    });
    storeFeedback(store, session, { scores, review });
    if (!isScored) storeWordList(store, assessments);
    const isReviewed = judged !== null || !isForReview({ entireConversation: turns });
    if (isReviewed || !tryLater(completion, { sessionId: session.id, waitsFor: 'review', attempts: 1 }))
      forgetScoring(completion, session.id);
  });
  recordings.remove(session.id, ['set_aside']);
}

/** As they stand now: the coach may have ticked one while the session was scored. */
function completedOf(store: Store, session: Session): readonly CompletedObjective[] {
  const current = findSession(store, session.id);
  return current.ok ? current.value.completedObjectives : session.completedObjectives;
}

type Ticked = { turns: readonly Turn[]; completed: readonly CompletedObjective[] };

/** Of an objective of this practice that is open, by a turn of this session. */
const isNews = (
  { objectiveId, turnId }: CompletedObjective,
  { turns, objectives, completed }: Ticked & { objectives: readonly Pick<CompletedObjective, 'objectiveId'>[] },
): boolean =>
  objectives.some((one) => one.objectiveId === objectiveId) &&
  turns.some((turn) => turn.role === 'learner' && turn.turnId === turnId) &&
  !completed.some((done) => done.objectiveId === objectiveId);

/** Whether the learner said something in a live conversation that no judge has seen: it was written down late, or never answered. */
function hasUnjudged(session: Session, { turns, completed }: Ticked): boolean {
  if (!isLive(session)) return false;
  const wasWordless = new Set(session.entireConversation.filter(isWordless).map(({ turnId }) => turnId));
  const lastAnswered = turns.findLastIndex(({ role }) => role === 'coach');
  const proofOf = new Set(completed.map(({ turnId }) => turnId));
  return turns.some(
    (turn, at) =>
      turn.role === 'learner' && !proofOf.has(turn.turnId) && (at > lastAnswered || wasWordless.has(turn.turnId)),
  );
}

type Review = ReturnType<typeof reviewSession>;

/** The coach's sentences with the words that were measured. */
const asJudged = (
  measured: Review,
  { summary, remember: _remember, proofs: _proofs, ...judged }: CoachReview,
): Review => ({
  feedback: { ...measured.feedback, ...judged },
  summary,
});

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
  { scores, review }: { scores: SessionScores; review: Review },
): void {
  insertRow(store, 'feedbackDetails', {
    feedbackId: store.newId(),
    interactionId: interactionOf(store, session),
    userId: session.userId,
    performanceCategories: [...SCORE_DIMENSIONS, 'pron' as const, 'words' as const].map((category) => ({
      category,
      score: scores[category],
    })),
    suggestions: [review.feedback.fix, review.feedback.nextStep],
    score: scores.overall,
  });
}

/** A session that was abandoned with too little in it: it ends, without a score, and says nothing that nobody measured. */
export function completeUnscored(completion: Completion, session: Session): void {
  const { store, recordings } = completion;
  const move = movePractice(session.status, { type: 'scored' });
  if (!move.ok) return;
  store.transaction(() => {
    keepWhatWaits({ store, recordings }, session);
    updateRow(store, 'practiceHistory', session.id, { status: move.status, pausedAt: null });
    forgetScoring(completion, session.id);
    forgetDraft(store, session.id);
    forgetHints(store, session.id);
    forgetClock(store, session.id);
    recordings.keepUnsent(session.id);
  });
  recordings.remove(session.id, ['set_aside']);
}
