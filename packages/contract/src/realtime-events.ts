/**
 * The events of a realtime session that all boundaries share: voice adapter, server, host and renderer. Each boundary
 * extends them with fields and events of its own; none of them redefines a shared event.
 */
import { z } from 'zod';

/** Identifies an utterance of the coach or of the learner. */
export const RealtimeItemId = z.string().min(1).max(200);

/**
 * `ended`: the learner ended it. `goodbye`: the coach said goodbye. `quota`: the plan's allowance is used up. `limit`: the maximum length
 * of one session was reached; another may follow. `idle`: there was no speech for minutes.
 */
export const REALTIME_END_REASONS = ['ended', 'goodbye', 'quota', 'limit', 'idle'] as const;
export type RealtimeEndReason = (typeof REALTIME_END_REASONS)[number];

const ofCoach = { itemId: RealtimeItemId };

export const realtimeEvents = {
  coachStarted: z.object({ type: z.literal('coachStarted'), ...ofCoach }),
  /** Captions in small pieces, ahead of the matching audio. */
  coachWords: z.object({ type: z.literal('coachWords'), ...ofCoach, text: z.string() }),
  /** The utterance was heard or cut off. */
  coachEnded: z.object({ type: z.literal('coachEnded'), ...ofCoach }),
  /** Stop playing this utterance now and report with `played` how much was heard. No more of its audio follows. */
  bargeIn: z.object({ type: z.literal('bargeIn'), ...ofCoach }),
  learnerStarted: z.object({ type: z.literal('learnerStarted') }),
  /** The learner's turn ended. */
  learnerSaid: z.object({ type: z.literal('learnerSaid'), text: z.string() }),
  /**
   * Sent when five minutes, one minute and no time are left of the plan. After the last of these, only the goodbye
   * follows.
   */
  quota: z.object({ type: z.literal('quota'), remainingS: z.number().int().min(0) }),
  /** No event follows this one. */
  over: z.object({ type: z.literal('over'), reason: z.enum(REALTIME_END_REASONS) }),
};

/** `text` is the part of the utterance that was heard, empty when it was cut before its first word. */
export const heardUtterance = realtimeEvents.coachEnded.extend({ text: z.string(), wasCut: z.boolean() });
