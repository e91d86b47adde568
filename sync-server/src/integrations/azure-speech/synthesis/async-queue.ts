/** A queue that one side pushes to and the other iterates asynchronously. */
export interface AsyncQueue<Item> {
  push: (item: Item) => void;
  end: () => void;
  /** Rejects the consumer at once and drops queued items. */
  fail: (error: unknown) => void;
  items: AsyncIterable<Item>;
}

export function createAsyncQueue<Item>(): AsyncQueue<Item> {
  const queued: Item[] = [];
  let outcome: { error: unknown } | 'ended' | null = null;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  async function* iterate(): AsyncGenerator<Item> {
    for (;;) {
      if (outcome !== null && outcome !== 'ended') throw outcome.error;
      const item = queued.shift();
      if (item !== undefined) yield item;
      else if (outcome === 'ended') return;
      else await wake.promise;
    }
  }
  return {
    push: (item) => {
      if (outcome !== null) return;
      queued.push(item);
      notify();
    },
    end: () => {
      outcome ??= 'ended';
      notify();
    },
    fail: (error) => {
      outcome ??= { error };
      notify();
    },
    items: { [Symbol.asyncIterator]: iterate },
  };
}
