/** A sync whose server may change while the app runs: one loop a server, and the same listeners for all. */
import type { SyncStatus } from '@parley/contract';
import { createSync, type Sync, type SyncOptions } from './sync-loop.ts';

export interface ReconnectingSync extends Sync {
  /** Sends what it can to the former server, leaves it, does what is to be done in between, and begins with the next. */
  reconnect(serverUrl: string | null, between: () => Promise<void>): Promise<void>;
}

/** A server that does not answer is not waited for. */
const SENDS_WITHIN_MS = 5_000;

export function createReconnectingSync(options: SyncOptions): ReconnectingSync {
  const listeners = new Set<(status: SyncStatus) => void>();
  let isStarted = false;
  let isClosed = false;

  function open(serverUrl: string | null): Sync {
    const sync = createSync({ ...options, serverUrl });
    sync.onStatus((status) => listeners.forEach((listener) => listener(status)));
    if (isStarted) sync.start();
    return sync;
  }
  let current = open(options.serverUrl);

  async function sendWhatWaits(): Promise<void> {
    const { state, waiting } = current.status();
    if (waiting === 0 || state === 'no_server' || state === 'signed_out') return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SENDS_WITHIN_MS);
    });
    await Promise.race([current.run().catch(() => undefined), late]);
    clearTimeout(timer);
  }

  return {
    status: () => current.status(),
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      isStarted = true;
      current.start();
    },
    run: () => current.run(),
    rejected: () => current.rejected(),
    dismissRejected: (id) => current.dismissRejected(id),
    ask: (call) => current.ask(call),
    moveTo: (enter, moving) => current.moveTo(enter, moving),
    whenIdle: () => current.whenIdle(),
    async reconnect(serverUrl, between) {
      await sendWhatWaits();
      await current.close();
      try {
        await between();
      } finally {
        if (!isClosed) current = open(serverUrl);
      }
      const status = current.status();
      for (const listener of listeners) listener(status);
    },
    async close() {
      isClosed = true;
      await current.close();
    },
  };
}
