/** Takes this device out of the account space of its server: what it holds is ready for another one. */
import { DeviceId, LearnerId } from '@parley/domain';
import { type Store, syncState } from '../store/index.ts';
import { adoptAccount, hasAddress, isRegistered } from './adopt-account.ts';

/**
 * An account with an address is put away with what it has not sent, and is there again when its owner signs in to its server. What is nobody's
 * goes on under new names: the server that is left keeps those it has seen.
 */
export async function leaveServer(store: Store): Promise<void> {
  // Rows of an account that is put away are with its server alone, which may never answer again.
  if (hasAddress(store, store.identity().userId)) await store.keepCopy();
  store.transaction(() => {
    if (isRegistered(store))
      adoptAccount(store, {
        userId: LearnerId.parse(store.newId()),
        deviceId: DeviceId.parse(store.newId()),
        isRegistered: false,
      });
    // Places in the rows of one server mean nothing in those of another.
    store.db
      .update(syncState)
      .set({
        userCursor: 0,
        catalogueCursor: 0,
        olderCursor: null,
        epoch: null,
        resync: null,
        serverSchema: null,
        lastSyncedAt: null,
      })
      .run();
  });
}
