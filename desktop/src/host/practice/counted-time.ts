/** How long a session took: every stored act counts the time since the act before it, pauses left out. */

/** A lid that was closed without a pause costs no more than this. */
export const MAX_COUNTED_GAP_MS: number = 300_000;

interface Counted {
  /** Seconds. */
  duration: number;
  /** When the row last changed: up to there `duration` is right. */
  updatedAt: Date;
  pausedAt: Date | null;
}

/** Seconds in conversation until `now`. */
export function countedSeconds(session: Counted, now: Date): number {
  if (session.pausedAt !== null) return session.duration;
  const gapMs = now.getTime() - session.updatedAt.getTime();
  return session.duration + Math.round(Math.min(MAX_COUNTED_GAP_MS, Math.max(0, gapMs)) / 1000);
}
