/** The dependencies and the interface of the sync loop. */
import type { DeviceCredentials, RejectedChange, SyncStatus } from '@parley/contract';
import type { Logger } from '../logger.ts';
import type { HostFailure, HostResult } from '../result/index.ts';
import type { ServerClient, TokenVault } from '../server/index.ts';
import type { Store } from '../store/index.ts';
import type { NewDevice, ThisDevice } from './account/register-device.ts';
import type { TurnFetcherOptions } from './pull/turn-fetcher.ts';

export interface SyncOptions {
  store: Store;
  /** `null` when no server is configured; sync then does nothing. */
  serverUrl: string | null;
  vault: TokenVault;
  chance: () => number;
  logger: Logger;
  device: ThisDevice;
  /** When turns that a first sync has left out are fetched. */
  turns?: TurnFetcherOptions | undefined;
  /**
   * Brings here what only the server has besides rows, before an account's work moves to another one. Returns why that failed, or null when
   * all is here or can never be fetched.
   */
  fetchFilesBeforeMoving?: () => Promise<HostFailure | null>;
  /** Called after each round that has pulled and ended well, and soon after a poke that has brought a session that is over. */
  onReceived?: () => void;
}

export interface Sync {
  status(): SyncStatus;
  onStatus(listener: (status: SyncStatus) => void): () => void;
  /** Starts syncing: now, after each local change, after each poke, and every few minutes. */
  start(): void;
  /** Pushes and pulls now. Resolves when the round has ended, successfully or not. */
  run(): Promise<SyncStatus>;
  rejected(): RejectedChange[];
  dismissRejected(id: string): void;
  /** Brings the turns of a session here if a first sync has left them out. */
  fetchTurns(sessionId: string): Promise<HostResult<void>>;
  /** Brings everything here that a first sync has not brought yet. Returns whether nothing is missing. */
  fetchEverything(): Promise<boolean>;
  /** Calls the server as this device, after registering it if necessary. */
  request<Value>(call: (client: ServerClient) => Promise<Value>): Promise<HostResult<Value>>;
  /**
   * Moves this device to the account that `enter` signs in to. Anonymous data moves along; another account's data is
   * parked.
   */
  switchAccount(
    enter: (client: ServerClient, device: NewDevice) => Promise<DeviceCredentials>,
    /** `email`: the address with which the learner signs in. */
    options?: { email?: string },
  ): Promise<HostResult<SyncStatus>>;
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}
