/**
 * Lets the owner of the account delete its data on this device from another one. The server orders it with a key that
 * only this device and its account's own server know, so another program at the server's address cannot.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from '../logger.ts';
import { connectToServer, toFailure } from '../server/index.ts';
import { readSyncState, type Store, syncState } from '../store/index.ts';
import { hasEmail, type Sync } from '../sync/index.ts';
import { readWipeNotice, writeWipeNotice, writeWipeOrder } from './wipe-files.ts';

export interface RemoteWipe {
  /** Gives the server the key, unless it already has it. Only the owner of an account with an address can order a deletion. */
  allow(): Promise<void>;
  /** Begins the deletion and reopens the profile, if the key is right. Returns whether it is. */
  accept(key: string): boolean;
  /** Reports a completed deletion to the server, unless that has been done. */
  report(): Promise<void>;
  /** When an account's data was deleted here; null when none was, or when the notice was dismissed. */
  wipedAt(): Date | null;
  dismissNotice(): void;
}

export interface RemoteWipeParts {
  store: Store;
  sync: Pick<Sync, 'request'>;
  serverUrl: () => string | null;
  /** Closes the profile, which completes the deletion, and opens it again. Null leaves that to the next start. */
  reopen: (() => void) | null;
  logger: Logger;
}

export function createRemoteWipe({ store, sync, serverUrl, reopen, logger }: RemoteWipeParts): RemoteWipe {
  const { dataDir } = store;
  const readKey = () => {
    const { deviceId, wipeKey, wipeKeySentFor } = readSyncState(store);
    // A key that an earlier account's server knows is not used again.
    const isUsable = wipeKeySentFor === null || wipeKeySentFor === deviceId;
    return { deviceId, key: isUsable ? wipeKey : null, isSent: wipeKeySentFor === deviceId };
  };

  /** Stored before it is sent, because the response may be lost. */
  function makeKey(): string {
    const key = randomBytes(32).toString('base64url');
    store.db.update(syncState).set({ wipeKey: key, wipeKeySentFor: null }).run();
    return key;
  }

  return {
    async allow() {
      const { deviceId, key: known, isSent } = readKey();
      if (isSent || serverUrl() === null || !hasEmail(store, store.identity().userId)) return;
      const key = known ?? makeKey();
      const allowed = await sync.request((client) => client.devices.allowWipe({ key }));
      // The device may have moved to another account meanwhile.
      if (allowed.ok && store.identity().deviceId === deviceId)
        store.db.update(syncState).set({ wipeKeySentFor: deviceId }).run();
    },

    accept(key) {
      const { key: own } = readKey();
      const url = serverUrl();
      if (own === null || key !== own || url === null) {
        logger.warn({}, 'wipe_order_refused');
        return false;
      }
      logger.info({}, 'wipe_ordered');
      writeWipeOrder(dataDir, { ...store.identity(), key, serverUrl: url });
      reopen?.();
      return true;
    },

    async report() {
      const notice = readWipeNotice(dataDir);
      if (notice === null || notice.report === null) return;
      const { deviceId, key, serverUrl: url } = notice.report;
      try {
        await connectToServer(url, async () => null).client.devices.reportWiped({ deviceId, key });
      } catch (error) {
        // The account may have been erased meanwhile.
        if (toFailure(error).code !== 'device.not_found') return;
      }
      const current = readWipeNotice(dataDir);
      if (current !== null) writeWipeNotice(dataDir, { ...current, report: null });
    },

    wipedAt() {
      const notice = readWipeNotice(dataDir);
      return notice === null || notice.isDismissed ? null : new Date(notice.at);
    },

    dismissNotice() {
      const notice = readWipeNotice(dataDir);
      if (notice !== null) writeWipeNotice(dataDir, { ...notice, isDismissed: true });
    },
  };
}
