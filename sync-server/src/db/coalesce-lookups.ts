/**
 * Looks up keys with one query at a time: keys that are requested while a query runs share the next one. A lookup that
 * need not wait is not delayed.
 */
const MAX_KEYS = 100;
/** A query that takes longer, for example on a broken connection, no longer blocks the next one. */
const SLOW_MS = 50;

interface Asking<Row> {
  key: string;
  resolve: (row: Row | undefined) => void;
  reject: (error: unknown) => void;
}

/** `read` returns the rows that exist, by key. */
export function coalesceLookups<Row>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): (key: string) => Promise<Row | undefined> {
  const waiting: Asking<Row>[] = [];
  let isReading = false;

  async function readSome(): Promise<void> {
    const asking = waiting.splice(0, MAX_KEYS);
    try {
      const rows = await read([...new Set(asking.map(({ key }) => key))]);
      for (const { key, resolve } of asking) resolve(rows.get(key));
    } catch (error) {
      for (const { reject } of asking) reject(error);
    }
  }

  function startNext(): void {
    if (isReading || waiting.length === 0) return;
    isReading = true;
    let isOver = false;
    const goOn = (): void => {
      if (isOver) return;
      isOver = true;
      isReading = false;
      startNext();
    };
    const timer = setTimeout(goOn, SLOW_MS);
    void readSome().finally(() => {
      clearTimeout(timer);
      goOn();
    });
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
    waiting.push({ key, resolve, reject });
    startNext();
    return promise;
  };
}
