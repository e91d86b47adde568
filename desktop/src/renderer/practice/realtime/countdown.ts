/** Counts a call's remaining time down between the server's reports. */

/** The call as the server last reported it. */
export interface ReportedTime {
  /** Null when usage is not metered. */
  remainingS: number | null;
  /** False while the call connects, which costs no minutes. */
  isOpen: boolean;
}

interface Countdown extends ReportedTime {
  startedAtMs: number;
  leftS: number | null;
}

export const NO_COUNTDOWN: Countdown = { remainingS: null, isOpen: false, startedAtMs: 0, leftS: null };

export function updateCountdown(before: Countdown, reported: ReportedTime, nowMs: number): Countdown {
  const { remainingS, isOpen } = reported;
  if (!isOpen) return { ...before, isOpen };
  // A connection that opens brings a new report, even if its value is the same.
  if (!before.isOpen || remainingS !== before.remainingS) return { ...reported, startedAtMs: nowMs, leftS: remainingS };
  const elapsedS = Math.floor((nowMs - before.startedAtMs) / 1_000);
  return { ...before, leftS: remainingS === null ? null : Math.max(0, remainingS - elapsedS) };
}
