/** Detaches this device from its server, so that its data can go to another one. */
import { DeviceId, LearnerId } from '@parley/domain';
import { forgetMissingTurns, recordingKeeping, type Store, syncState } from '../../store/index.ts';
import { beginResync } from '../restore/resync.ts';
import { adoptAccount, hasEmail, isRegistered } from './adopt-account.ts';

/** `isMoved`: the next server is the same one at another address. */
export async function leaveServer(store: Store, { isMoved }: { isMoved: boolean }): Promise<void> {
  const isKnownByEmail = hasEmail(store, store.identity().userId);
  if (isMoved && isKnownByEmail) return awaitOwner(store);
  // The work of a parked account is incomplete here, and its server may never be reachable again.
  if (isKnownByEmail) await store.writeCopy();
  store.transaction(() => {
    // Anonymous data continues under new ids, because the old server keeps the ids it has seen. An account with an
    // e-mail is parked with all its rows until its owner returns, because the server may have been restored by then.
    if (isRegistered(store))
      adoptAccount(store, {
        userId: LearnerId.parse(store.newId()),
        deviceId: DeviceId.parse(store.newId()),
        isRegistered: false,
        hasServerAll: false,
      });
    // Cursors of one server mean nothing to another.
    store.db
      .update(syncState)
      .set({
        userCursor: 0,
        catalogueCursor: 0,
        olderCursor: null,
        pullsTurnsLater: true,
        epoch: null,
        resync: null,
        serverSchema: null,
        lastSyncedAt: null,
      })
      .run();
    forgetMissingTurns(store);
  });
}

/**
 * Keeps the account and its rows until its owner signs in at the new address. The data there may be older than what the
 * former address confirmed, and may have the same epoch, so everything is compared and what is missing is sent back.
 */
function awaitOwner(store: Store): void {
  store.transaction(() => {
    beginResync(store, 'epoch');
    store.db.update(syncState).set({ serverSchema: null, lastSyncedAt: null }).run();
    // The copies of recordings may be older too: in the same epoch, their list would continue from the former address's
    // position.
    store.db.update(recordingKeeping).set({ generation: null, listedUntil: 0 }).run();
  });
}
