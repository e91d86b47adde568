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
  /** When to fetch the turns that a first sync has left out. */
  turns?: TurnFetcherOptions | undefined;
  /**
   * Downloads what only the server has, apart from rows, before an account's work moves to another account. Returns why
   * that failed, or null when everything is here or can never be fetched.
   */
  fetchFilesBeforeMoving?: () => Promise<HostFailure | null>;
  /** Called after each successful round that has pulled, and soon after a poke that brought an ended session. */
  onReceived?: () => void;
  /**
   * Called when the server has signed this device out and orders the deletion of the account's data here. Returns
   * whether the order is obeyed; signing in waits until the deletion is complete.
   */
  onWipeOrdered?: (key: string) => boolean;
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
  /** Fetches the turns of a session if a first sync has left them out. */
  fetchTurns(sessionId: string): Promise<HostResult<void>>;
  /** Fetches everything that a first sync has left out. Returns whether nothing is missing. */
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
