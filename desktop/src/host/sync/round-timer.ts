/** Runs the next round of sync at the most recently set time. A time in the future does not keep the process alive. */

export interface RoundTimer {
  /** With 0, the round runs as soon as the current event has been handled. Replaces an earlier time. */
  set(afterMs: number): void;
  cancel(): void;
}

export function createRoundTimer(run: () => void): RoundTimer {
  let cancel = (): void => undefined;
  return {
    set(afterMs) {
      cancel();
      if (afterMs <= 0) {
        // A timer takes at least a millisecond, even with a delay of 0.
        const immediate = setImmediate(run);
        cancel = () => clearImmediate(immediate);
        return;
      }
      const timer = setTimeout(run, afterMs);
      timer.unref();
      cancel = () => clearTimeout(timer);
    },
    cancel: () => cancel(),
  };
}
