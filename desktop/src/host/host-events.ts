/** Streams host events to each listener. Bursts of changes are merged, and every stream ends when the host closes. */
import type { HostEvent, SyncStatus } from '@parley/contract';

export interface HostEvents {
  /** Ends when the host closes or the signal aborts. */
  listen(signal: AbortSignal | undefined): AsyncGenerator<HostEvent, void>;
  tablesChanged(tables: readonly string[]): void;
  syncChanged(status: SyncStatus): void;
  announceReopening(): void;
  close(): void;
}

interface Listener {
  tables: Set<string>;
  status: SyncStatus | null;
  isReopening: boolean;
  wake: () => void;
}

export function createHostEvents(): HostEvents {
  const listeners = new Set<Listener>();
  let isClosed = false;
  const wakeAll = (update: (listener: Listener) => void): void => {
    for (const listener of listeners) {
      update(listener);
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
    if (listener.isReopening) {
      listener.isReopening = false;
      yield { type: 'reopening' };
    }
  }

  async function* listen(signal: AbortSignal | undefined): AsyncGenerator<HostEvent, void> {
    const listener: Listener = { tables: new Set(), status: null, isReopening: false, wake: () => undefined };
    const onAbort = (): void => listener.wake();
    listeners.add(listener);
    signal?.addEventListener('abort', onAbort);
    const isDone = (): boolean => isClosed || signal?.aborted === true;
    try {
      while (!isDone()) {
        const nextWake = new Promise<void>((resolve) => {
          listener.wake = resolve;
        });
        yield* drain(listener);
        // Changes that arrived while the listener was busy are already queued, so only an empty queue waits.
        const isDrained = listener.tables.size === 0 && listener.status === null && !listener.isReopening;
        if (isDrained && !isDone()) await nextWake;
      }
      // Changes announced just before the host closed are still delivered.
      if (signal?.aborted !== true) yield* drain(listener);
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
    announceReopening: () =>
      wakeAll((listener) => {
        listener.isReopening = true;
      }),
    close() {
      isClosed = true;
      wakeAll(() => undefined);
    },
  };
}
