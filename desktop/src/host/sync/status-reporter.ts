/** Holds the state of sync, and tells its listeners each time it is set. */
import type { ConnectionObstacle, SyncStatus } from '@parley/contract';
import { type Store, syncState } from '../store/index.ts';
import { countUnreadable } from './pull/unreadable-rows.ts';
import { countWaitingChanges } from './push/push-changes.ts';
import { rejectedCount } from './quarantine/rejected-changes.ts';

export interface StatusReporter {
  state(): SyncStatus['state'];
  status(): SyncStatus;
  setState(next: SyncStatus['state']): void;
  /** Call this when a count has changed. */
  report(): void;
  onStatus(listener: (status: SyncStatus) => void): () => void;
}

export interface StatusReporterOptions {
  initialState: SyncStatus['state'];
  /** A closed sync reports nothing, because its database may be closed too. */
  isClosed: () => boolean;
  leadsTo: () => string | null;
  obstacle: () => ConnectionObstacle | null;
  isMoveOffline: () => boolean;
}

export function createStatusReporter(
  store: Store,
  { initialState, isClosed, leadsTo, obstacle, isMoveOffline }: StatusReporterOptions,
): StatusReporter {
  const listeners = new Set<(status: SyncStatus) => void>();
  let state = initialState;

  const status = (): SyncStatus => ({
    state,
    waiting: countWaitingChanges(store),
    rejected: rejectedCount(store),
    unread: countUnreadable(store),
    lastSyncedAt: store.db.select({ at: syncState.lastSyncedAt }).from(syncState).get()?.at ?? null,
    leadsTo: leadsTo(),
    obstacle: obstacle(),
    isMoveOffline: state === 'not_moved' && isMoveOffline(),
  });

  function report(): void {
    if (isClosed()) return;
    const current = status();
    for (const listener of listeners) listener(current);
  }

  return {
    state: () => state,
    status,
    setState(next) {
      state = next;
      report();
    },
    report,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
