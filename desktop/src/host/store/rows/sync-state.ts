/** Reads how far this device has synced, of which there is one row. */
import { syncState } from '../schema/device-tables.ts';
import type { Store } from '../store.ts';

export type SyncState = typeof syncState.$inferSelect;

const readers = new WeakMap<Store['db'], () => SyncState | undefined>();

/** Returns undefined before the device has an identity. A pull asks several times for each page, so the statement is prepared once. */
export function findSyncState({ db }: Pick<Store, 'db'>): SyncState | undefined {
  const known = readers.get(db);
  if (known !== undefined) return known();
  const prepared = db.select().from(syncState).prepare();
  const read = (): SyncState | undefined => prepared.get();
  readers.set(db, read);
  return read();
}

export function readSyncState(store: Pick<Store, 'db'>): SyncState {
  const state = findSyncState(store);
  if (state === undefined) throw new Error('the device has no identity yet');
  return state;
}
