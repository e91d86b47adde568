/** Changes, for one test, the time that `performance.now()` says has elapsed. */
import { onTestFinished, vi } from 'vitest';

/** Adds milliseconds to the time that has elapsed. */
type PassTime = (ms: number) => void;

function replaceElapsedMs(elapsedMs: () => number): void {
  const replaced = vi.spyOn(performance, 'now').mockImplementation(elapsedMs);
  onTestFinished(() => replaced.mockRestore());
}

/** Time elapses as usual, and can be skipped. */
export function skippableTime(): PassTime {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  replaceElapsedMs(() => now() + skippedMs);
  return (ms) => {
    skippedMs += ms;
  };
}

/** Time elapses only when the test says so. */
export function manualTime(): PassTime {
  let elapsedMs = performance.now();
  replaceElapsedMs(() => elapsedMs);
  return (ms) => {
    elapsedMs += ms;
  };
}
