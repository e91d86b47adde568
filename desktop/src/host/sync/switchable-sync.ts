/** Keeps one set of listeners while the server may change; each server has its own sync loop. */
import type { SyncStatus } from '@parley/contract';
import type { Sync, SyncOptions } from './sync.ts';
import { createSync } from './sync-loop.ts';

export interface SwitchableSync extends Sync {
  /**
   * Pushes what it can to the former server, leaves that server, runs `between`, and starts syncing with the next one.
   */
  switchServer(serverUrl: string | null, between: () => Promise<void>): Promise<void>;
}

/** An unresponsive server must not block the change. */
const FINAL_PUSH_TIMEOUT_MS = 5_000;

export function createSwitchableSync(options: SyncOptions): SwitchableSync {
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

  async function pushBeforeLeaving(): Promise<void> {
    const { state, waiting } = current.status();
    if (waiting === 0 || state === 'no_server' || state === 'signed_out') return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FINAL_PUSH_TIMEOUT_MS);
    });
    await Promise.race([current.run().catch(() => undefined), timeout]);
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
    fetchTurns: (sessionId) => current.fetchTurns(sessionId),
    fetchEverything: () => current.fetchEverything(),
    request: (call) => current.request(call),
    switchAccount: (enter, moving) => current.switchAccount(enter, moving),
    whenIdle: () => current.whenIdle(),
    async switchServer(serverUrl, between) {
      await pushBeforeLeaving();
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
