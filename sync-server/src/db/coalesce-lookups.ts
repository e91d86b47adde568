/**
 * Looks keys up with one query at a time: keys that are asked for while a query runs share the next one. A lookup that need not wait is not
 * delayed.
 */
const MAX_KEYS = 100;

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

  async function readAll(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      const asking = waiting.splice(0, MAX_KEYS);
      try {
        const rows = await read([...new Set(asking.map(({ key }) => key))]);
        for (const { key, resolve } of asking) resolve(rows.get(key));
      } catch (error) {
        for (const { reject } of asking) reject(error);
      }
    }
    isReading = false;
  }

  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
    waiting.push({ key, resolve, reject });
    if (!isReading) void readAll();
    return promise;
  };
}
