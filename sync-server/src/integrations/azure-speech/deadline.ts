/** One thing that is waited for at a time, and what happens when it does not come. */
export interface Deadline {
  /** Replaces what was waited for before. */
  set: (what: string, withinMs: number) => void;
  clear: () => void;
  /** Nothing is waited for any more, whatever is set afterwards. */
  lift: () => void;
}

export function createDeadline(onMissed: (what: string) => void): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let isLifted = false;
  const clear = (): void => clearTimeout(timer);
  return {
    set: (what, withinMs) => {
      clear();
      if (!isLifted) timer = setTimeout(onMissed, withinMs, what);
    },
    clear,
    lift: () => {
      isLifted = true;
      clear();
    },
  };
}
