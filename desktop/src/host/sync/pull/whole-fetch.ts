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
   * Brings here what an account has on the server, before its rows move to another account and it can no longer be fetched. Returns why
   * that failed, or null when all is here or can never be fetched: the device was signed out, or the server fails on single sessions.
   */
  fetchBeforeMoving: () => Promise<HostFailure | null>;
}

export function createWholeFetch({ store, turns, hasServer, runFullRound }: WholeFetchParts): WholeFetch {
  /** Whether the server may have rows of this account that were never pulled. Nothing is there before the device is registered. */
  function lacksRows(): boolean {
    const { user, older } = readCursors(store);
    return isRegistered(store) && (user === 0 || older !== null || isResyncing(store));
  }

  const lacksTurns = (): boolean => listMissingTurns(store, { since: null, limit: 1 }).length > 0;

  return {
    async fetchEverything() {
      if (!hasServer()) return true;
      // A server that is empty is asked again, because that it is empty is not stored.
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
      // A server that fails altogether does not answer this either.
      return (await runFullRound()).state === 'idle' ? null : failure;
    },
  };
}
