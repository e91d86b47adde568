/** The server's epoch, as this device knows it: it changes when the server was put back in time. */
import { ORPCError } from '@orpc/client';
import { type Store, syncState } from '../store/index.ts';

export const knownEpoch = (store: Store): string | null =>
  store.db.select({ epoch: syncState.epoch }).from(syncState).get()?.epoch ?? null;

/** Throws when the server has begun another epoch in the middle of an answer. */
export function noteEpoch(store: Store, epoch: string): void {
  const known = knownEpoch(store);
  if (known === epoch) return;
  if (known !== null) throw new ORPCError('sync.resync', { status: 410, data: { detail: 'epoch' } });
  store.db.update(syncState).set({ epoch }).run();
}
