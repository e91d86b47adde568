/** The server's epoch, which changes when the server's database is restored. */
import { ORPCError } from '@orpc/client';
import { readSyncState, type Store, syncState } from '../../store/index.ts';

export const knownEpoch = (store: Store): string | null => readSyncState(store).epoch;

/** Throws when the server's epoch changed during a response. */
export function storeEpoch(store: Store, epoch: string): void {
  const known = knownEpoch(store);
  if (known === epoch) return;
  if (known !== null) throw new ORPCError('sync.resync', { status: 410, data: { detail: 'epoch' } });
  store.db.update(syncState).set({ epoch }).run();
}
