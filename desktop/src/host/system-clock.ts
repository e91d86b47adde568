/**
 * The computer's clock. It infers how long the computer slept from the fact that no timer of this process ran in that
 * time. The time before this process started counts as sleep too, because the app was closed.
 */
import type { Clock } from './store/index.ts';

export interface SystemClock extends Clock {
  sleptMsSince(date: Date): number;
  close(): void;
}

const CHECK_INTERVAL_MS = 5_000;
/** A busy computer delays a timer too, though hardly for this long. */
const MIN_SLEEP_MS = 30_000;
/** Earlier sleeps are forgotten; a session that began before them is long over. */
const MAX_SLEEPS = 100;

export function createSystemClock({ now = Date.now }: { now?: () => number } = {}): SystemClock {
  const sleeps: { fromMs: number; toMs: number }[] = [];
  const startedMs = now();
  let lastSeenMs = startedMs;

  function check(): void {
    const nowMs = now();
    if (nowMs - lastSeenMs >= MIN_SLEEP_MS) sleeps.push({ fromMs: lastSeenMs, toMs: nowMs });
    if (sleeps.length > MAX_SLEEPS) sleeps.shift();
    lastSeenMs = nowMs;
  }

  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    now: () => new Date(now()),
    sleptMsSince(date) {
      // After a sleep, a request may arrive before the timer fires.
      check();
      return [{ fromMs: -Infinity, toMs: startedMs }, ...sleeps].reduce(
        (sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, date.getTime())),
        0,
      );
    },
    close: () => clearInterval(timer),
  };
}
