/** Reads how far this device has synced, from a single row. */
import { syncState } from '../schema/device-tables.ts';
import type { Store } from '../store.ts';
import { prepareOnce } from './prepared-statements.ts';

export type SyncState = typeof syncState.$inferSelect;

/** A pull reads this several times per page. */
const selectState = prepareOnce(({ db }) => db.select().from(syncState).prepare());

/** Returns undefined before the device has an identity. */
export const findSyncState = (store: Store): SyncState | undefined => selectState(store).get();

export function readSyncState(store: Store): SyncState {
  const state = findSyncState(store);
  if (state === undefined) throw new Error('the device has no identity yet');
  return state;
}
