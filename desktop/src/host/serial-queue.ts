/** Runs pieces of work one after another. One that fails rejects for its caller only, and the rest goes on. */
export interface SerialQueue {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Resolves when all work that was added before has settled. */
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
