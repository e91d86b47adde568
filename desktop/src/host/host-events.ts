/** What happens in the host, as one stream a listener: bursts of changes are told once, and a stream ends with its host. */
import type { HostEvent, SyncStatus } from '@parley/contract';

export interface HostEvents {
  /** Ends when the host closes, or when the signal does. */
  listen(signal: AbortSignal | undefined): AsyncGenerator<HostEvent, void>;
  tablesChanged(tables: readonly string[]): void;
  syncChanged(status: SyncStatus): void;
  close(): void;
}

interface Listener {
  tables: Set<string>;
  status: SyncStatus | null;
  wake: () => void;
}

export function createHostEvents(): HostEvents {
  const listeners = new Set<Listener>();
  let isClosed = false;
  const wakeAll = (note: (listener: Listener) => void): void => {
    for (const listener of listeners) {
      note(listener);
      listener.wake();
    }
  };

  function* drain(listener: Listener): Generator<HostEvent> {
    if (listener.tables.size > 0) {
      const tables = [...listener.tables];
      listener.tables.clear();
      yield { type: 'data_changed', tables };
    }
    if (listener.status !== null) {
      const { status } = listener;
      listener.status = null;
      yield { type: 'sync_status', status };
    }
  }

  async function* listen(signal: AbortSignal | undefined): AsyncGenerator<HostEvent, void> {
    const listener: Listener = { tables: new Set(), status: null, wake: () => undefined };
    const onAbort = (): void => listener.wake();
    listeners.add(listener);
    signal?.addEventListener('abort', onAbort);
    const isOver = (): boolean => isClosed || signal?.aborted === true;
    try {
      while (!isOver()) {
        const woken = new Promise<void>((resolve) => {
          listener.wake = resolve;
        });
        yield* drain(listener);
        // What came while the listener was busy is already noted: only an empty one waits.
        if (listener.tables.size === 0 && listener.status === null && !isOver()) await woken;
      }
    } finally {
      listeners.delete(listener);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    listen,
    tablesChanged: (tables) => wakeAll((listener) => tables.forEach((table) => listener.tables.add(table))),
    syncChanged: (status) =>
      wakeAll((listener) => {
        listener.status = status;
      }),
    close() {
      isClosed = true;
      wakeAll(() => undefined);
    },
  };
}
