/** The life of one practice: which status follows which event. Pure; the host stores what it returns. */
import { assertNever } from '../assert-never.ts';
import type { PracticeStatus } from '../enumerations.ts';
import { MIN_SPEECH_MS_TO_SCORE, MIN_TURNS_TO_SCORE } from '../scores.ts';

export type PracticeEvent = { type: 'scored' } | { type: 'scoring_gave_up' };

export type PracticeMove = { ok: true; status: PracticeStatus } | { ok: false; code: 'practice.already_completed' };

/** `completed` never goes back; a failed one may be retried into `completed`. */
export function movePractice(status: PracticeStatus, event: PracticeEvent): PracticeMove {
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
export const FINISH_UNASKED_AFTER_MS: number = 7 * 24 * HOUR_MS;

/** Scoring is tried this often, spread over a day, before it is called failed. */
export const SCORING_ATTEMPTS: number = 5;

/** What to do with a session that was left `in_progress`. */
export function idleSessionAction(idle: { idleMs: number }): 'keep' | 'offer_to_resume' | 'finish' {
  if (idle.idleMs >= FINISH_UNASKED_AFTER_MS) return 'finish';
  if (idle.idleMs >= OFFER_TO_RESUME_AFTER_MS) return 'offer_to_resume';
  return 'keep';
}

/** A session that was finished without asking is scored only when there is enough to go by. */
export const isEnoughToScore = (said: { learnerTurns: number; speechMs: number }): boolean =>
  said.learnerTurns >= MIN_TURNS_TO_SCORE && said.speechMs >= MIN_SPEECH_MS_TO_SCORE;
