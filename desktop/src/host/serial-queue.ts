/** Runs tasks one after another. A failing task rejects only for its caller, and the next one runs. */
export interface SerialQueue {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Resolves when all tasks that were added before this call have settled. */
  whenIdle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.then(
        () => undefined,
        () => undefined,
      );
      return result;
    },
    whenIdle: () => last,
  };
}
