/** Fetches everything that an account has on the server, for an export, or before its rows move to another account. */
import type { SyncStatus } from '@parley/contract';
import type { HostFailure } from '../../result/index.ts';
import { listMissingTurns, type Store } from '../../store/index.ts';
import { isRegistered } from '../account/adopt-account.ts';
import { isResyncing } from '../restore/resync.ts';
import { readCursors } from './pull-pages.ts';
import type { TurnFetcher } from './turn-fetcher.ts';

export interface WholeFetchParts {
  store: Store;
  turns: Pick<TurnFetcher, 'fetchAll'>;
  hasServer: () => boolean;
  /** Returns how the round ended; another one may begin at once. */
  runFullRound: () => Promise<SyncStatus>;
}

export interface WholeFetch {
  /** Returns whether nothing is missing. */
  fetchEverything: () => Promise<boolean>;
  /**
   * Downloads what an account has on the server before its rows move to another account, after which it can no longer
   * be fetched. Returns why that failed, or null when everything is here or can never be fetched, because the device
   * was signed out or the server fails on single sessions.
   */
  fetchBeforeMoving: () => Promise<HostFailure | null>;
}

export function createWholeFetch({ store, turns, hasServer, runFullRound }: WholeFetchParts): WholeFetch {
  /**
   * Whether the server may have rows of this account that were never pulled. Before the device is registered, it has
   * none.
   */
  function lacksRows(): boolean {
    const { user, older } = readCursors(store);
    return isRegistered(store) && (user === 0 || older !== null || isResyncing(store));
  }

  const lacksTurns = (): boolean => listMissingTurns(store, { since: null, limit: 1 }).length > 0;

  return {
    async fetchEverything() {
      if (!hasServer()) return true;
      // An empty server is asked again, because the device does not record that it is empty.
      if (lacksRows() && (await runFullRound()).state !== 'idle') return false;
      return (await turns.fetchAll()) === null && readCursors(store).older === null && !isResyncing(store);
    },

    async fetchBeforeMoving() {
      if (!hasServer() || !(lacksRows() || lacksTurns())) return null;
      // A device that was signed out, or has yet to move to another account, can never fetch them.
      const { state: reached } = await runFullRound();
      if (reached === 'signed_out' || reached === 'not_moved') return null;
      if (reached !== 'idle') return { code: 'sync.offline' };
      const failure = await turns.fetchAll();
      if (failure?.code !== 'internal') return failure;
      // A server that fails altogether does not answer this request either.
      return (await runFullRound()).state === 'idle' ? null : failure;
    },
  };
}
