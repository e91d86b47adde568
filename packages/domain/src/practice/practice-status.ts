/** The state machine of a practice: which status follows which event. It is pure; the host stores the result. */
import { assertNever } from '../assert-never.ts';
import type { PracticeStatus } from '../enumerations.ts';
import { MIN_SPEECH_MS_TO_SCORE, MIN_TURNS_TO_SCORE } from '../scoring/scores.ts';

export type PracticeEvent = { type: 'scored' } | { type: 'scoring_gave_up' };

export type PracticeTransition =
  { ok: true; status: PracticeStatus } | { ok: false; code: 'practice.already_completed' };

/** `completed` is final; a failed practice can be retried into `completed`. */
export function transitionPractice(status: PracticeStatus, event: PracticeEvent): PracticeTransition {
  if (status === 'completed') return { ok: false, code: 'practice.already_completed' };
  switch (event.type) {
    case 'scored':
      return { ok: true, status: 'completed' };
    case 'scoring_gave_up':
      return { ok: true, status: 'failed_to_generate_score' };
    default:
      return assertNever(event);
  }
}

const HOUR_MS = 3_600_000;
export const OFFER_TO_RESUME_AFTER_MS: number = 24 * HOUR_MS;
export const AUTO_FINISH_AFTER_MS: number = 7 * 24 * HOUR_MS;

/** Scoring is attempted this many times, spread over a day, before the session is marked as failed. */
export const MAX_SCORING_ATTEMPTS: number = 5;

/** Decides what to do with a session that was left `in_progress`. */
export function idleSessionAction(idle: { idleMs: number }): 'keep' | 'offer_to_resume' | 'finish' {
  if (idle.idleMs >= AUTO_FINISH_AFTER_MS) return 'finish';
  if (idle.idleMs >= OFFER_TO_RESUME_AFTER_MS) return 'offer_to_resume';
  return 'keep';
}

/** A session that was finished automatically is scored only when it contains enough speech. */
export const hasEnoughSpeechToScore = (spoken: { learnerTurns: number; speechMs: number }): boolean =>
  spoken.learnerTurns >= MIN_TURNS_TO_SCORE && spoken.speechMs >= MIN_SPEECH_MS_TO_SCORE;
