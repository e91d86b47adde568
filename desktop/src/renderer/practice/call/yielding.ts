/**
 * A coach that is spoken over lowers its voice at once, before anybody knows whether it was interrupted: the learner notices that they are heard.
 * After an "mm-hm" it is as loud as before.
 */

export interface Yielding {
  isYielding: boolean;
  voicedMs: number;
  silentMs: number;
}

export const NOT_YIELDING: Yielding = { isYielding: false, voicedMs: 0, silentMs: 0 };

/** A click or a breath is shorter. */
const YIELDS_FROM_MS = 80;
/** Nobody pauses longer within an "mm-hm". */
const OVER_AFTER_MS = 400;

export function yieldTo(before: Yielding, chunk: { isSpeech: boolean; durationMs: number }): Yielding {
  const voicedMs = chunk.isSpeech ? before.voicedMs + chunk.durationMs : 0;
  const silentMs = chunk.isSpeech ? 0 : before.silentMs + chunk.durationMs;
  const isYielding = before.isYielding ? silentMs < OVER_AFTER_MS : voicedMs >= YIELDS_FROM_MS;
  return { isYielding, voicedMs, silentMs };
}
