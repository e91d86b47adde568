/** Tells subscribers which tables changed, and only after the change is on disk. */

type Listener = (tables: readonly string[]) => void;

export interface ChangeFeed {
  subscribe(listener: Listener): () => void;
  publish(tables: Iterable<string>): void;
}

export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<Listener>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    publish(changed) {
      const tables = [...new Set(changed)];
      if (tables.length > 0) for (const listener of listeners) listener(tables);
    },
  };
}
