/** Monitors one awaited event at a time and reports if it does not arrive. */
export interface Deadline {
  /** Replaces the previously awaited event. */
  set: (awaited: string, timeoutMs: number) => void;
  clear: () => void;
  /** Stops monitoring for good: later calls of `set` do nothing. */
  cancel: () => void;
}

export function createDeadline(onMissed: (awaited: string) => void): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let isCancelled = false;
  const clear = (): void => clearTimeout(timer);
  return {
    set: (awaited, timeoutMs) => {
      clear();
      if (!isCancelled) timer = setTimeout(onMissed, timeoutMs, awaited);
    },
    clear,
    cancel: () => {
      isCancelled = true;
      clear();
    },
  };
}
