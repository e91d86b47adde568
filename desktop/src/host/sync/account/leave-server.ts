/** Detaches this device from its server, so that its data can go to another one. */
import { DeviceId, LearnerId } from '@parley/domain';
import { forgetMissingTurns, type Store, syncState } from '../../store/index.ts';
import { adoptAccount, hasEmail, isRegistered } from './adopt-account.ts';

/**
 * An account with an e-mail is parked until its owner signs in again. Anonymous data continues under new ids, because
 * the old server keeps the ids it has seen.
 */
export async function leaveServer(store: Store): Promise<void> {
  // The rows of a parked account exist only on its server, which may never be reachable again.
  if (hasEmail(store, store.identity().userId)) await store.writeCopy();
  store.transaction(() => {
    if (isRegistered(store))
      adoptAccount(store, {
        userId: LearnerId.parse(store.newId()),
        deviceId: DeviceId.parse(store.newId()),
        isRegistered: false,
        hasServerAll: true,
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
