/**
 * Scores an ended session: assesses missing turns, asks for a review and completes the session. Steps that fail are
 * retried.
 */
import { type LearnerTurn, ok, rescoreFreeSpeech, type Turn } from '@parley/domain';
import type { HostResult } from '../../result/index.ts';
import { findSamples } from '../../recordings/index.ts';
import { findSession, isUntranscribed, type Session, updateTurns } from '../session/session-rows.ts';
import { collectAssessments, completeSession, type Scored } from './complete-session.ts';
import type { CompletionParts } from './completion-parts.ts';
import { transcribeTurn } from './late-transcription.ts';
import { recordTurns } from './record-turns.ts';
import { requestReview } from './request-review.ts';
import { isLastAttempt, recordFailedAttempt, scheduleAttempt } from './scoring-attempts.ts';

/**
 * Assesses missing turns and completes the session. After the last failed attempt, the session is marked as having no
 * score.
 */
export async function scoreAndComplete(completion: CompletionParts, session: Session): Promise<void> {
  const scored = await assessMissingTurns(completion, session);
  if (scored === null) {
    recordFailedAttempt(completion, session);
    return;
  }
  const { turns } = scored;
  const judged = await requestReview(completion, { ...session, entireConversation: turns });
  completeSession(completion, session, { ...scored, judged });
  await completion.coach.release(session.id);
}

/**
 * Asks the coach again for a review that failed when the session ended. Returns false if the coach still does not
 * reply.
 */
export async function retryReview(completion: CompletionParts, session: Session): Promise<boolean> {
  const { entireConversation: turns } = session;
  const judged = await requestReview(completion, session);
  if (judged === null) return false;
  completeSession(completion, session, { turns, isFullyTranscribed: !turns.some(isUntranscribed), judged });
  return true;
}

/** Does the same as a scheduled attempt; a failure counts towards the limit. */
export async function retryScheduledReview(completion: CompletionParts, session: Session): Promise<void> {
  if (!(await retryReview(completion, session))) recordFailedAttempt(completion, session);
}

const lacksAssessment = (turn: Turn): turn is LearnerTurn & { recordingId: string } =>
  turn.role === 'learner' && turn.recordingId !== null && turn.assessment === null;

/**
 * Returns null when a turn could not be assessed in this attempt. In the last attempt, such a turn stays without a
 * score, so that the others get theirs.
 */
async function assessMissingTurns(completion: CompletionParts, session: Session): Promise<Scored | null> {
  const scored: Turn[] = [];
  let isHeard = true;
  let hasFailed = false;
  for (const turn of session.entireConversation) {
    if (!lacksAssessment(turn)) {
      scored.push(turn);
      continue;
    }
    try {
      const written = await transcribeTurn(completion, session, turn);
      // A turn that could not be transcribed does not block the session's score.
      isHeard &&= written.ok;
      scored.push(written.ok ? await withAssessment(completion, written.value) : turn);
    } catch (error) {
      completion.logger.warn({ err: error, turnId: turn.turnId }, 'turn_scoring_failed');
      if (!isLastAttempt(completion, session)) return null;
      hasFailed = true;
      scored.push(turn);
    }
  }
  if (hasFailed && collectAssessments(scored).length === 0) return null;
  return { turns: scored, isFullyTranscribed: isHeard };
}

/** A turn whose audio cannot be read on this device stays without a score, so that the others get theirs. */
export async function withAssessment(
  { recordings, scorer, logger }: CompletionParts,
  turn: LearnerTurn,
): Promise<LearnerTurn> {
  if (!lacksAssessment(turn) || isUntranscribed(turn)) return turn;
  const pcm = await findSamples(recordings, turn);
  if (!pcm.ok) {
    logger.warn({ code: pcm.error.code, turnId: turn.turnId }, 'turn_audio_unreadable');
    return turn;
  }
  const assessment = await scorer.assess({ pcm: pcm.value, text: turn.text });
  return { ...turn, assessment: turn.node === null ? rescoreFreeSpeech(assessment) : assessment };
}

/**
 * Transcribes and assesses turns that have no words yet. Their words count towards the session once the coach has
 * reviewed it again.
 */
export async function transcribeRemaining(completion: CompletionParts, session: Session): Promise<HostResult<void>> {
  const { store, coach, logger } = completion;
  const turns: Turn[] = [];
  let answer: HostResult<void> = ok(undefined);
  for (const turn of session.entireConversation) {
    const written =
      turn.role === 'learner' && isUntranscribed(turn) ? await transcribeTurn(completion, session, turn) : ok(turn);
    if (!written.ok) answer = written;
    const said = written.ok ? written.value : turn;
    try {
      turns.push(said.role === 'learner' ? await withAssessment(completion, said) : said);
    } catch (error) {
      logger.warn({ err: error, turnId: said.turnId }, 'turn_scoring_failed');
      turns.push(said);
    }
  }
  // Writing to a session that was deleted meanwhile would bring it back on every device.
  if (!findSession(store, session.id).ok) return answer;
  store.transaction(() => {
    updateTurns(store, session, turns);
    recordTurns(store, session, turns);
  });
  await coach.release(session.id);
  if (turns.some((turn, place) => turn.text !== session.entireConversation[place]?.text)) {
    scheduleAttempt(completion, { sessionId: session.id, waitsFor: 'review', attempts: 0 }, 0);
    await retryReview(completion, { ...session, entireConversation: turns });
  }
  return answer;
}
